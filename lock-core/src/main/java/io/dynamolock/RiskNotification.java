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

    /** Accessed under the validity's monitor, so that no registration misses a risk. */
    private final List<Consumer<Lease>> actions = new ArrayList<>(0);

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
            concerned = List.copyOf(actions);
        }
        run(concerned);
        return true;
    }

    /** Registers an action; returns what forgets it. */
    Runnable register(Consumer<Lease> action) {
        Objects.requireNonNull(action, "action");
        ClockReading now = context.clock.now();
        boolean atRisk;
        synchronized (validity) {
            actions.add(action);
            atRisk = validity.advanceTo(now) == LeaseState.AT_RISK;
        }
        if (atRisk) {
            run(List.of(action));
        }
        return () -> forget(action);
    }

    private void forget(Consumer<Lease> action) {
        synchronized (validity) {
            actions.remove(action);
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
