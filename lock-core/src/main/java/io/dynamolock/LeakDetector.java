/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once about a lease that has been open for longer than the setting {@code warnAfter}, if that is set. */
final class LeakDetector {

    private static final Logger LOG = LoggerFactory.getLogger(LeakDetector.class);

    private final EngineContext context;
    private final Lease lease;
    private final @Nullable Thread holder;
    private volatile Scheduler.@Nullable Scheduled alarm;

    LeakDetector(EngineContext context, Lease lease, @Nullable Thread holder) {
        this.context = context;
        this.lease = lease;
        this.holder = holder;
    }

    void start() {
        Duration threshold = context.settings.warnAfter();
        if (threshold != null) {
            long nanos = context.clock.nanos() + Durations.nanos(threshold);
            alarm = context.scheduler.schedule(nanos, () -> context.runCallback(() -> warn(threshold)));
        }
    }

    void cancel() {
        Scheduler.Scheduled scheduled = alarm;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    private void warn(Duration threshold) {
        if (lease.isHeld()) {
            LOG.warn(
                    "Lock '{}' has been held by '{}' since {}, longer than warnAfter ({}); acquired {}. If the work has ended,"
                            + " close its lease; otherwise raise warnAfter (in Spring, dynamolock.lease.warn-after)",
                    lease.name(),
                    lease.owner(),
                    lease.acquiredAt(),
                    Durations.shown(threshold),
                    holder == null ? "asynchronously" : "by thread '" + Texts.nameOf(holder) + "'");
        }
    }
}
