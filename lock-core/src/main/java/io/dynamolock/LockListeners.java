/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies several listeners; an exception of one of them reaches neither the others nor the lock. */
record LockListeners(List<LockListener> listeners) implements LockListener {

    /** Ignores all events. */
    static final LockListener NONE = new LockListener() {};

    private static final Logger LOG = LoggerFactory.getLogger(LockListeners.class);

    @SuppressWarnings("CatchAndPrintStackTrace")
    private void publish(Consumer<LockListener> event) {
        for (LockListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable harmless) {
                LOG.warn(
                        "Lock listener {} threw an exception",
                        listener.getClass().getName(),
                        harmless);
            }
        }
    }

    @Override
    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
        publish(listener -> listener.onRequest(name, operation, outcome));
    }

    @Override
    public void onCorruptRow(String name, List<String> attributes, boolean closed) {
        publish(listener -> listener.onCorruptRow(name, attributes, closed));
    }

    @Override
    public void onRepairedRow(String name) {
        publish(listener -> listener.onRepairedRow(name));
    }

    @Override
    public void onRetry(String name, Operation operation, Throwable failure) {
        publish(listener -> listener.onRetry(name, operation, failure));
    }

    @Override
    public void onRetriesExhausted(String name, Operation operation, Throwable failure) {
        publish(listener -> listener.onRetriesExhausted(name, operation, failure));
    }

    @Override
    public void onWaiting(LockState holder) {
        publish(listener -> listener.onWaiting(holder));
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        publish(listener -> listener.onAcquired(lease, took, waited));
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        publish(listener -> listener.onBusy(holder, took, waited));
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        publish(listener -> listener.onAcquireFailed(name, failure, took));
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        publish(listener -> listener.onRenewed(lease, took));
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        publish(listener -> listener.onRenewalFailed(lease, failure, took));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        publish(listener -> listener.onLost(lease, lost));
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        publish(listener -> listener.onReleased(lease, outcome, took));
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        publish(listener -> listener.onReleaseFailed(lease, failure, took));
    }

    @Override
    public void onHeartbeatLag(Duration lag) {
        publish(listener -> listener.onHeartbeatLag(lag));
    }

    @Override
    public void onClockSample(Duration skew, Duration width) {
        publish(listener -> listener.onClockSample(skew, width));
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        publish(listener -> listener.onClockUntrusted(problem));
    }
}
