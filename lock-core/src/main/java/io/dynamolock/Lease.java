/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The time-limited right to hold one lock, kept alive by the manager's heartbeat until it is released or lost.
 *
 * <p>Every answer here is conservative: {@link #isHeld()} looks at this machine's clocks alone and is false before any rival
 * could have the lock. A process that stands still at the wrong moment can nevertheless act after its lease has ended; what
 * must not happen twice belongs behind the {@link #fencingToken() fencing token}.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1
 */
public interface Lease extends AutoCloseable {

    /**
     * Returns what is locked.
     *
     * @return the lock name
     */
    String name();

    /**
     * Returns the readable identity of the holder, for display only.
     *
     * @return the owner
     */
    String owner();

    /**
     * Returns the id of this acquisition, which no other ever has.
     *
     * @return the lease id
     */
    String id();

    /**
     * Returns the number that grows with every acquisition of this lock and never goes back.
     *
     * @return the fencing token, below 2<sup>53</sup> until the year 2248
     */
    long fencingToken();

    /**
     * Returns what the holder wrote beside the lease.
     *
     * @return an unmodifiable map
     */
    Map<String, String> metadata();

    /**
     * Returns when the lock was acquired.
     *
     * @return the moment before the request was sent
     */
    Instant acquiredAt();

    /**
     * Returns the holder's own end: after it {@link #isHeld()} is false unless a renewal has succeeded.
     *
     * @return the end on this machine's wall clock
     */
    Instant expiresAt();

    /**
     * Returns how long the lease surely lasts without another renewal.
     *
     * @return zero if it is not held
     */
    Duration remaining();

    /**
     * Tells whether the lease is surely still ours. Looks at local clocks only, sends nothing.
     *
     * @return never true once the lease may have ended
     */
    boolean isHeld();

    /**
     * Does nothing while the lease is held.
     *
     * @throws LeaseLostException if it is lost
     * @throws IllegalStateException if it was released or detached
     */
    void ensureHeld();

    /**
     * Asks the store whether the lease still holds its lock: one consistent read. A row that shows it gone ends the lease as
     * lost, with the true reason. Sends nothing if the lease is not held here any more.
     *
     * <p>Unlike {@link #isHeld()}, this also notices at once that somebody has revoked or freed the lock, or deleted its row.
     * Like every answer, it may be out of date when it arrives: what must not happen twice belongs behind the fencing token.
     *
     * @return whether the row names this lease as its holder, not revoked, and it is still held here
     * @throws LockStoreException if the store failed, which changes nothing
     * @since 0.1
     */
    boolean verify();

    /**
     * Renews for the lease duration it was acquired with, whatever it was renewed for since. The heartbeat renews for the
     * same from then on. Works as well in the grace period of a manager that closes.
     *
     * @return the new end
     * @throws LeaseLostException if the lease is lost, or turns out to be
     * @throws LockStoreException if the store failed; the lease then still lasts as long as it surely did before
     * @throws IllegalStateException if it was released or detached
     */
    Instant renew();

    /**
     * Renews for another duration, which may be shorter than what remains. The heartbeat renews for the same from then on.
     * Works as well in the grace period of a manager that closes.
     *
     * @param leaseDuration from now on, at least a millisecond, at most {@link LockSettings#maxLeaseDuration()}
     * @return the new end
     * @throws LeaseLostException if the lease is lost, or turns out to be
     * @throws LockStoreException if the store failed; the lease then lasts no longer than the shorter of both
     * @throws IllegalStateException if it was released or detached
     * @throws IllegalArgumentException if the duration is too short or too long
     */
    Instant renew(Duration leaseDuration);

    /**
     * Gives the lock back. From the moment this is called {@link #isHeld()} is false. Works on an interrupted thread and
     * keeps its flag. A second call sends nothing and gives the first one's outcome, unless that was a failure: then it tries
     * again, and recognises what the first one may have achieved without an answer.
     *
     * @return what was found
     * @throws LockStoreException if the store failed; the lease then runs out by itself, and calling again tries again
     * @throws IllegalStateException if it was detached
     */
    ReleaseOutcome release();

    /**
     * Releases. In a try-with-resources statement a failure here never hides the body's exception: it is attached to it.
     *
     * @throws LockStoreException if the store failed
     */
    @Override
    void close();

    /**
     * Closes without blocking the calling thread.
     *
     * @return completes when the lock has been given back, or fails as {@link #close()} would; it cannot be cancelled
     */
    CompletionStage<Void> closeAsync();

    /**
     * Registers what to do when the lease is {@linkplain LeaseState#AT_RISK at risk}: a renewal has failed, and the lease
     * will be lost unless a later one succeeds before its end. Runs each time that the lease comes to be at risk; at once if
     * it is when this is called.
     *
     * @param action gets this lease, on a thread of the manager for callbacks; what it throws is logged
     * @since 0.1
     */
    void onAtRisk(Consumer<Lease> action);

    /**
     * Registers what to do when the lease is lost. Runs once; at once if the lease is lost already; never for a lease that
     * was released in order. Actions run in the order of their registration.
     *
     * @param action runs on a thread of the manager for callbacks, or, once these have ended with it, on the calling one; what
     *     it throws is logged
     */
    void onLost(Consumer<LeaseLost> action);

    /**
     * Returns the loss as a future event.
     *
     * @return always the same; completes with the reason when the lease is lost, never if it is released in order
     */
    CompletionStage<LeaseLost> lost();

    /**
     * Returns where the lease stands.
     *
     * @return the state now
     */
    LeaseState state();

    /**
     * Hands the lease out as text, for another process to {@linkplain LockManager#resume(LeaseToken) carry on}, after one more
     * renewal for the duration of the last one. From the beginning of the call on the lease is not held here any more, whatever
     * becomes of it; if it throws, call it again or release the lease. Works as well in the grace period of a manager that
     * closes.
     *
     * @return a secret: whoever has it can have the lock
     * @throws LeaseLostException if the lease is lost, or turns out to be
     * @throws LockStoreException if the store failed; the lease can still be detached or released then, and runs out otherwise
     * @throws IllegalStateException if it was released or detached already
     */
    LeaseToken detach();
}
