/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of a lease that has been open for suspiciously long, if the settings say how long that is. */
final class LeakDetector {

    private static final Logger LOG = LoggerFactory.getLogger(LeakDetector.class);

    private final EngineContext context;
    private final HeldLease lease;
    private final @Nullable Thread holder;
    private volatile Scheduler.@Nullable Scheduled alarm;

    LeakDetector(EngineContext context, HeldLease lease, @Nullable Thread holder) {
        this.context = context;
        this.lease = lease;
        this.holder = holder;
    }

    void set() {
        Duration after = context.settings.warnAfter();
        if (after != null) {
            long nanos = context.clock.nanos() + Durations.nanos(after);
            alarm = context.scheduler.schedule(nanos, () -> context.tell(() -> warn(after)));
        }
    }

    void cancel() {
        Scheduler.Scheduled scheduled = alarm;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    private void warn(Duration after) {
        if (lease.isHeld()) {
            LOG.warn(
                    "Lock '{}' has been held by '{}' since {}, longer than warnAfter ({}); acquired {}. If the work has ended,"
                            + " close its lease; otherwise raise warnAfter",
                    lease.name(),
                    lease.owner(),
                    lease.acquiredAt(),
                    after,
                    holder == null ? "asynchronously" : "by thread '" + holder.getName() + "'");
        }
    }
}
