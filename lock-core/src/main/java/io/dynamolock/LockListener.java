/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Callback interface for lock lifecycle events; metrics, events and health build on it. Methods run on the thread that
 * causes the event, so they must return quickly. An exception they throw is logged and has no other effect.
 *
 * <p>A manager is created with its listeners. A Spring bean that listens and needs a {@link LockManager} takes an
 * {@code ObjectProvider<LockManager>} and gets the manager when an event occurs.
 *
 * @since 0.1
 */
public interface LockListener {

    /** The purpose of a request to the store. */
    enum Operation {
        /** A conditional write that acquires, takes over or resumes. */
        ACQUIRE,
        /** A conditional write that renews. */
        RENEW,
        /** A conditional write that releases. */
        RELEASE,
        /** A conditional write that neutralizes an acquire without a response. */
        UNDO,
        /** A conditional write by which a waiter claims the next turn, or withdraws its claim. */
        CLAIM,
        /** A conditional write that revokes. */
        REVOKE,
        /** A read, by a waiter or to inspect the row. */
        READ
    }

    /** The outcome of a request to the store. */
    enum RequestOutcome {
        /** The write was applied, or the read got a response. */
        OK,
        /** The condition did not hold. */
        REJECTED,
        /** The request failed or got no response. */
        FAILED
    }

    /** Why the store's clock is not trusted. */
    enum ClockProblem {
        /**
         * The dates of the store's responses contradict each other by more than the allowed clock skew. Lasts until one
         * hour after the last contradiction.
         */
        CONTRADICTION,
        /**
         * The store's responses carry no usable date and its time is not known. Lasts until usable dates make it known.
         */
        UNDATED
    }

    /**
     * Called after a request was sent to the store.
     *
     * @param name the lock name
     * @param operation the purpose of the request
     * @param outcome the outcome of the request
     */
    default void onRequest(String name, Operation operation, RequestOutcome outcome) {}

    /**
     * Called when a failed request will be retried. Not called for the renewals of the heartbeat, see
     * {@link #onRenewalFailed}, nor for undos.
     *
     * @param name the lock name
     * @param operation the purpose of the request
     * @param failure why it failed
     */
    default void onRetry(String name, Operation operation, Throwable failure) {}

    /**
     * Called when a retried request has failed for the last time.
     *
     * @param name the lock name
     * @param operation the purpose of the request
     * @param failure why it failed
     */
    default void onRetriesExhausted(String name, Operation operation, Throwable failure) {}

    /**
     * Called when a caller starts to wait for a lock.
     *
     * @param holder the current holder, as far as it is known; free if another caller of this process attempts just now
     */
    default void onWaiting(LockState holder) {}

    /**
     * Called when a lock was acquired.
     *
     * @param lease the lease
     * @param took the time from the call to the lease
     * @param waited the part of it in the queue: after the first rejection, or behind other callers of this process
     */
    default void onAcquired(Lease lease, Duration took, Duration waited) {}

    /**
     * Called when a lock was not acquired because another lease held it until the wait time had elapsed.
     *
     * @param holder the current holder
     * @param took the time from the call until it gave up
     * @param waited the part of it in the queue: after the first rejection, or behind other callers of this process
     */
    default void onBusy(LockState holder, Duration took, Duration waited) {}

    /**
     * Called when a lock was not acquired because the store failed, the caller was interrupted, the call was cancelled,
     * or the manager was closed or drained.
     *
     * @param name the lock name
     * @param failure the cause
     * @param took the time from the call to the failure
     */
    default void onAcquireFailed(String name, Throwable failure, Duration took) {}

    /**
     * Called when a lease was renewed.
     *
     * @param lease the lease
     * @param took the time from the request to its response
     */
    default void onRenewed(Lease lease, Duration took) {}

    /**
     * Called when a renewal failed: one by the holder after its last retry, one by the heartbeat at each attempt. The
     * lease is at risk, and is lost if no renewal succeeds before it expires.
     *
     * @param lease the lease
     * @param failure the cause
     * @param took the time from the request to its failure
     */
    default void onRenewalFailed(Lease lease, Throwable failure, Duration took) {}

    /**
     * Called when a lease was lost, also if only the outcome of its release shows it.
     *
     * @param lease the lease
     * @param lost the reason
     */
    default void onLost(Lease lease, LeaseLost lost) {}

    /**
     * Called when a lease was released. Not called for a lease that was known to be lost before: its end is reported by
     * {@link #onLost}. If the outcome shows that it was lost, {@link #onLost} is called first.
     *
     * @param lease the lease
     * @param outcome the outcome of the release
     * @param took the time from the request to its response
     */
    default void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {}

    /**
     * Called when a release failed. The lease is left to expire.
     *
     * @param lease the lease
     * @param failure the cause
     * @param took the time until the failure
     */
    default void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {}

    /**
     * Called when a renewal started later than scheduled.
     *
     * @param lag the delay
     */
    default void onHeartbeatLag(Duration lag) {}

    /**
     * Called when the store's clock was compared with the clocks of this machine. Runs while a request occupies its
     * slot: must not send requests.
     *
     * @param skew the wall clock minus the store's time, as far as it is known
     * @param width the width of the bounds within which the store's time is known
     */
    default void onClockSample(Duration skew, Duration width) {}

    /**
     * Called when the store's clock is not trusted for a while; meanwhile, leases of other holders are taken over by
     * observation only. Runs while a request occupies its slot: must not send requests.
     *
     * @param problem the reason
     */
    default void onClockUntrusted(ClockProblem problem) {}

    /**
     * Called when a row was read that this version of the library did not write. Called once per row until it has
     * another defect.
     *
     * @param name the lock name
     * @param attributes the attributes that are missing or invalid; {@code format} alone if a later version of the
     *     library wrote the row
     * @param closed whether the lock cannot be acquired until an operator frees it
     */
    default void onCorruptRow(String name, List<String> attributes, boolean closed) {}

    /**
     * Called when a row that was reported as corrupt is valid again, or was freed by force here.
     *
     * @param name the lock name
     */
    default void onRepairedRow(String name) {}

    /**
     * Combines several listeners into one. An exception that one of them throws is logged and does not reach the
     * others.
     *
     * @param listeners the listeners, in the order in which they are called
     * @return a listener that never throws
     */
    static LockListener all(List<LockListener> listeners) {
        return listeners.isEmpty() ? LockListeners.NONE : new LockListeners(new ArrayList<>(listeners));
    }
}
