/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the registered actions each time one lease becomes at risk. */
final class RiskNotification {

    private static final Logger LOG = LoggerFactory.getLogger(RiskNotification.class);

    private final EngineContext context;
    private final Lease lease;
    private final LeaseValidity validity;

    /** Immutable, and replaced under the validity's monitor, so that no registration misses a risk. */
    private List<Consumer<Lease>> actions = List.of();

    RiskNotification(EngineContext context, Lease lease, LeaseValidity validity) {
        this.context = context;
        this.lease = lease;
        this.validity = validity;
    }

    /** Records a failed renewal. Returns whether it put the lease at risk, which it was not before. */
    boolean renewalFailed() {
        ClockReading now = context.clock.now();
        List<Consumer<Lease>> concerned;
        synchronized (validity) {
            if (!validity.failed(now)) {
                return false;
            }
            concerned = actions;
        }
        run(concerned);
        return true;
    }

    void register(Consumer<Lease> action) {
        Objects.requireNonNull(action, "action");
        ClockReading now = context.clock.now();
        boolean atRisk;
        synchronized (validity) {
            List<Consumer<Lease>> more = new ArrayList<>(actions);
            more.add(action);
            actions = List.copyOf(more);
            atRisk = validity.advanceTo(now) == LeaseState.AT_RISK;
        }
        if (atRisk) {
            run(List.of(action));
        }
    }

    private void run(List<Consumer<Lease>> concerned) {
        if (!concerned.isEmpty()) {
            context.runCallback(() -> concerned.forEach(this::run));
        }
    }

    private void run(Consumer<Lease> action) {
        try {
            action.accept(lease);
        } catch (Throwable failure) {
            LOG.warn("An onAtRisk callback of lock '{}' failed", lease.name(), failure);
        }
    }
}
