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

    private static final Logger LOG = LoggerFactory.getLogger(LockListeners.class);

    @SuppressWarnings("CatchAndPrintStackTrace")
    private void tell(Consumer<LockListener> event) {
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
        tell(listener -> listener.onRequest(name, operation, outcome));
    }

    @Override
    public void onDamagedRow(String name, List<String> attributes, boolean closed) {
        tell(listener -> listener.onDamagedRow(name, attributes, closed));
    }

    @Override
    public void onRepairedRow(String name) {
        tell(listener -> listener.onRepairedRow(name));
    }

    @Override
    public void onRetry(String name, Operation operation, Throwable failure) {
        tell(listener -> listener.onRetry(name, operation, failure));
    }

    @Override
    public void onRetriesExhausted(String name, Operation operation, Throwable failure) {
        tell(listener -> listener.onRetriesExhausted(name, operation, failure));
    }

    @Override
    public void onWaiting(LockState holder) {
        tell(listener -> listener.onWaiting(holder));
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        tell(listener -> listener.onAcquired(lease, took, waited));
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        tell(listener -> listener.onBusy(holder, took, waited));
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        tell(listener -> listener.onAcquireFailed(name, failure, took));
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        tell(listener -> listener.onRenewed(lease, took));
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        tell(listener -> listener.onRenewalFailed(lease, failure, took));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        tell(listener -> listener.onLost(lease, lost));
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        tell(listener -> listener.onReleased(lease, outcome, took));
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        tell(listener -> listener.onReleaseFailed(lease, failure, took));
    }

    @Override
    public void onHeartbeatLag(Duration lag) {
        tell(listener -> listener.onHeartbeatLag(lag));
    }

    @Override
    public void onClockSample(Duration skew, Duration width) {
        tell(listener -> listener.onClockSample(skew, width));
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        tell(listener -> listener.onClockUntrusted(problem));
    }
}
