/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The parameters of one history: numbers of processes, users and names, durations, and kind of time. */
final class SimPlan {

    /** Allowed error of a wall clock where it matters. */
    static final long WALL_ALLOWED = 500_000_000;

    private static final List<LeaseTime> TIMES = List.of(LeaseTime.values());
    private static final int STEPS = 46;

    private static final List<Duration> HOURS = List.of(Duration.ofHours(4), Duration.ofHours(24));

    final Duration lease;
    final Duration lockDelay;
    final int names;
    final int processes;
    final int usersEach;
    final int stepsEach;
    final boolean mixed;
    final LeaseTime time;
    final @Nullable SimCrowd crowd;

    SimPlan(SplittableRandom random, long seed, SimOptions options) {
        int seconds = new int[] {1, 2, 3, 5}[random.nextInt(4)];
        this.lease = random.nextInt(20) == 0 ? HOURS.get(random.nextInt(2)) : Duration.ofSeconds(seconds);
        this.lockDelay = random.nextInt(4) == 0 ? Duration.ofMillis(300) : Duration.ZERO;
        this.names = 1 + random.nextInt(3);
        this.processes = 2 + Math.min(random.nextInt(7), random.nextInt(7));
        this.usersEach = 1 + random.nextInt(2);
        this.stepsEach = Math.max(2, STEPS / (processes * usersEach) / 2);
        int mode = random.nextInt(4);
        this.mixed = options.time() == null && mode == 3;
        this.time = options.time() == null ? TIMES.get(mode % 3) : options.time();
        this.crowd = isLong() ? null : SimCrowd.of(seed);
    }

    LeaseTime timeOf(SplittableRandom random) {
        return mixed ? TIMES.get(random.nextInt(3)) : time;
    }

    /** Draws the reaction to a lost lease. */
    OnLost onLost(SplittableRandom random) {
        int what = random.nextInt(16);
        return what == 0 ? OnLost.SHUTDOWN : what < 6 ? OnLost.INTERRUPT : what < 11 ? OnLost.THROW : OnLost.EVENT;
    }

    LockSettings settings(LeaseTime mode) {
        return Node.settingsWith(builder -> {
            builder.leaseDuration(lease)
                    .time(mode)
                    .lockDelay(lockDelay)
                    .pollMax(pollMax())
                    .shutdownGrace(Duration.ofMillis(500));
            return crowd == null ? builder : builder.firstResponseTimeout(Duration.ofSeconds(1));
        });
    }

    int workers() {
        return crowd == null ? SimThreadPool.WORKERS : crowd.workers;
    }

    Duration pollMax() {
        return Duration.ofSeconds(isLong() ? 2 * slowness() : 1);
    }

    /** Returns whether leases take hours: then clocks drift as far as allowed, and few leases are renewed. */
    boolean isLong() {
        return lease.compareTo(HOURS.get(0)) >= 0;
    }

    /** Returns the slow-down factor of everything but requests, so that leases of hours behave like those of seconds. */
    long slowness() {
        return Math.max(1, lease.toSeconds() / 5);
    }

    /** Draws a duration between the bounds, log-uniformly. */
    static long log(SplittableRandom random, long shortest, long longest) {
        return (long) (shortest * Math.pow((double) longest / shortest, random.nextDouble()));
    }
}
