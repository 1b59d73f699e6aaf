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

/** Reports each time that one lease comes to be at risk, to everybody who asked. */
final class RiskNotification {

    private static final Logger LOG = LoggerFactory.getLogger(RiskNotification.class);

    private final EngineContext context;
    private final HeldLease lease;
    private final LeaseValidity validity;

    /** Never changed, and replaced under the term's monitor, so that a registration either sees the risk or is seen by it. */
    private List<Consumer<Lease>> actions = List.of();

    RiskNotification(EngineContext context, HeldLease lease, LeaseValidity validity) {
        this.context = context;
        this.lease = lease;
        this.validity = validity;
    }

    /** A renewal failed. Returns whether the lease is at risk only since now. */
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
            atRisk = validity.stateAt(now) == LeaseState.AT_RISK;
        }
        if (atRisk) {
            run(List.of(action));
        }
    }

    private void run(List<Consumer<Lease>> concerned) {
        if (!concerned.isEmpty()) {
            context.tell(() -> concerned.forEach(this::run));
        }
    }

    private void run(Consumer<Lease> action) {
        try {
            action.accept(lease);
        } catch (Throwable harmless) {
            LOG.warn("What was to be done about the risk of losing lock '{}' failed", lease.name(), harmless);
        }
    }
}
