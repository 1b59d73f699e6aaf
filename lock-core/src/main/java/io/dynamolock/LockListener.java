/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Is told what happens to locks. Metrics, events and health are built on it. Methods are called on the thread where it
 * happens, so they must be quick; one that throws is logged and harms nothing.
 *
 * @since 0.1
 */
public interface LockListener {

    /** What a request to the store was for. */
    enum Operation {
        /** A conditional write that acquires, takes over or resumes. */
        ACQUIRE,
        /** A conditional write that renews. */
        RENEW,
        /** A conditional write that releases. */
        RELEASE,
        /** A conditional write that makes an unanswered acquire harmless. */
        UNDO,
        /** A conditional write that revokes. */
        REVOKE,
        /** A read, by a waiter or to inspect. */
        READ
    }

    /** What became of a request to the store. */
    enum RequestOutcome {
        /** It was applied, or answered. */
        OK,
        /** Its condition did not hold. */
        REFUSED,
        /** It failed or was not answered. */
        FAILED
    }

    /** Why the store's clock is not trusted. */
    enum ClockProblem {
        /**
         * The dates of the store's responses contradict each other by more than the allowed clock skew. Lasts until one hour
         * after the last contradiction.
         */
        CONTRADICTION,
        /** The store's responses carry no usable date and its time is not known. Lasts until usable dates make it known. */
        UNDATED
    }

    /**
     * One request was sent to the store.
     *
     * @param name the lock
     * @param operation what for
     * @param outcome what became of it
     */
    default void onRequest(String name, Operation operation, RequestOutcome outcome) {}

    /**
     * A failed request will be tried again.
     *
     * @param name the lock
     * @param operation what it is for
     * @param failure why it failed
     */
    default void onRetry(String name, Operation operation, Throwable failure) {}

    /**
     * A request that was tried again failed for the last time.
     *
     * @param name the lock
     * @param operation what it was for
     * @param failure why it failed
     */
    default void onRetriesExhausted(String name, Operation operation, Throwable failure) {}

    /**
     * Somebody starts to wait for a lock.
     *
     * @param holder who has it, as far as is known
     */
    default void onWaiting(LockState holder) {}

    /**
     * A lock was acquired.
     *
     * @param lease the lease
     * @param took from the call to the lease
     * @param waited the part of it after the first refusal
     */
    default void onAcquired(Lease lease, Duration took, Duration waited) {}

    /**
     * A lock was not acquired because somebody else held it until the wait time was over.
     *
     * @param holder who
     * @param took from the call to giving up
     * @param waited the part of it after the first refusal
     */
    default void onBusy(LockState holder, Duration took, Duration waited) {}

    /**
     * A lock was not acquired because the store failed, or the caller was interrupted or cancelled, or the manager closed.
     *
     * @param name the lock
     * @param failure why
     * @param took from the call to the failure
     */
    default void onAcquireFailed(String name, Throwable failure, Duration took) {}

    /**
     * A lease was renewed.
     *
     * @param lease the lease
     * @param took the request and its answer
     */
    default void onRenewed(Lease lease, Duration took) {}

    /**
     * A renewal failed; the lease is at risk and will be lost if none succeeds before its end.
     *
     * @param lease the lease
     * @param failure why
     * @param took the request and its failure
     */
    default void onRenewalFailed(Lease lease, Throwable failure, Duration took) {}

    /**
     * A lease was lost.
     *
     * @param lease the lease
     * @param lost why
     */
    default void onLost(Lease lease, LeaseLost lost) {}

    /**
     * A lease was released.
     *
     * @param lease the lease
     * @param outcome what the release found
     * @param took the request and its answer
     */
    default void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {}

    /**
     * A release failed; the lease runs out by itself.
     *
     * @param lease the lease
     * @param failure why
     * @param took until the failure
     */
    default void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {}

    /**
     * A renewal started later than planned.
     *
     * @param lag how much later
     */
    default void onHeartbeatLag(Duration lag) {}

    /**
     * The store's time was compared with this machine's clocks. Called while a request has its turn: must not send any.
     *
     * @param skew the wall clock less the store's time, as far as it is known
     * @param width within which bounds the store's time is known
     */
    default void onClockSample(Duration skew, Duration width) {}

    /**
     * The store's time is not to be trusted for a while; leases of others are taken over by observation only. Called while a
     * request has its turn: must not send any.
     *
     * @param problem why
     */
    default void onClockUntrusted(ClockProblem problem) {}

    /**
     * A row was seen that this version of the library did not write. Reported once, until something else is wrong with it.
     *
     * @param name the lock
     * @param attributes what is missing in the row, or not valid there; {@code format} alone if a later version wrote it
     * @param closed whether nobody can acquire the lock until an operator frees it
     */
    default void onDamagedRow(String name, List<String> attributes, boolean closed) {}

    /**
     * A row that was reported as damaged is as it should be again, or was freed by force here.
     *
     * @param name the lock
     */
    default void onRepairedRow(String name) {}

    /**
     * Makes one listener of several. What one of them throws is logged and kept from the others.
     *
     * @param listeners in the order in which they are told
     * @return a listener that never throws
     */
    static LockListener all(List<LockListener> listeners) {
        return new LockListeners(new ArrayList<>(listeners));
    }
}
