/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;

/** Checks that a call ends within its wait time and call timeout, pauses excluded (6). */
final class SimTimeLimit {

    /** Tolerance for pauses between clock reads and for slow clocks. */
    private static final long SLACK = 100_000_000;

    private final SimWorld world;
    private final SimProcess process;
    private final LockRequest request;
    private final long start;
    private final int disturbances;
    private final long most;

    SimTimeLimit(SimWorld world, SimProcess process, LockRequest request) {
        this.world = world;
        this.process = process;
        this.request = request;
        LockSettings settings = process.context.settings;
        Duration lease = settings.leaseOf(request);
        Duration call = Durations.max(settings.callTimeoutFor(lease), settings.firstResponseTimeoutOrDefault());
        long wait = Objects.requireNonNull(request.waitTime()).toNanos();
        this.start = world.scheduler().now();
        this.disturbances = process.disturbances();
        this.most = wait + wait / 1_000 + call.toNanos() + call.toNanos() / 1_000 + SLACK;
    }

    void requireInTime() {
        long took = world.scheduler().now() - start;
        boolean quiet = process.disturbances() == disturbances && !process.hasPausedSince(start);
        if (quiet && took > most) {
            world.checker()
                    .verdict
                    .broken(
                            6,
                            "p%d was kept for %s by %s"
                                    .formatted(process.number, Duration.ofNanos(took), request.name()));
        }
    }
}
