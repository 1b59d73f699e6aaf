/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The time-limited right to hold one lock, kept alive by the manager's heartbeat until it is released or lost.
 *
 * <p>Every result is conservative: {@link #isHeld()} reads only the clocks of this machine, and is false before any
 * other process could hold the lock. Limits: a process that is paused at the wrong moment can still act after its lease
 * has expired; use the {@link #fencingToken() fencing token} for anything that must not happen twice.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public interface Lease extends AutoCloseable {

    /** The longest time for {@link #release(Duration)}: 36,500 days. */
    Duration LONGEST_KEEP = Duration.ofDays(36_500);

    /**
     * Returns the name of the lock.
     *
     * @return the lock name
     */
    String name();

    /**
     * Returns the leases that this handle stands for: those of the locks of a request for
     * {@linkplain LockRequest#ofAll several}, in the order of their acquisition. Such a handle combines them: it is
     * held while all are, and lost with the first; its name and id list theirs; it has no fencing token of its own, and
     * cannot be detached. A decorator of a lease must return those of the decorated one: without them, losses do not
     * reach the caller of the work, and a lease that no work has used keeps its minimum hold.
     *
     * @return this lease alone, unless it stands for several; unmodifiable
     */
    default List<Lease> leases() {
        return List.of(this);
    }

    /**
     * Returns the readable identity of the holder, for display only.
     *
     * @return the owner
     */
    String owner();

    /**
     * Returns the id of this acquisition, which no other acquisition ever has.
     *
     * @return the lease id
     */
    String id();

    /**
     * Returns the fencing token, a number that grows with every acquisition of this lock and never decreases.
     *
     * @return the fencing token, below 2<sup>53</sup> until the year 2248; 0 for a lease without a lock
     *     ({@link LeaseState#UNLOCKED})
     * @throws UnsupportedOperationException if this handle stands for several {@link #leases()}: each has its own
     */
    long fencingToken();

    /**
     * Returns the texts that the holder stored with the lease.
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
     * Returns how long ago the lock was acquired, also after the end of the lease. A change of the wall clock does not
     * affect it.
     *
     * @return the time since {@link #acquiredAt()} on the monotonic clock
     * @since 0.1
     */
    Duration age();

    /**
     * Returns the end of the lease as seen by the holder: after it, {@link #isHeld()} is false unless a renewal has
     * succeeded.
     *
     * @return the end on this machine's wall clock
     */
    Instant expiresAt();

    /**
     * Returns how long the lease certainly lasts without another renewal.
     *
     * @return zero if it is not held
     */
    Duration remaining();

    /**
     * Returns whether the lease is certainly still held. Reads local clocks only; sends no request.
     *
     * @return never true once the lease may have expired
     */
    boolean isHeld();

    /**
     * Throws an exception unless the lease is held. Reads local clocks only, like {@link #isHeld()}.
     *
     * @throws LeaseLostException if it is lost, also if it was released afterwards; of several, if any is
     * @throws IllegalStateException if it was released or detached
     */
    void ensureHeld();

    /**
     * Verifies with the store that the lease still holds its lock: one consistent read. A row that shows otherwise ends
     * the lease as lost, with the true reason. Sends no request if the lease is no longer held here.
     *
     * <p>Unlike {@link #isHeld()}, this immediately detects that the lock was revoked or freed, or its row deleted.
     * Like any read, the result may be out of date when it arrives: use the fencing token for anything that must not
     * happen twice.
     *
     * @return whether the row names this lease as its holder, not revoked, and it is still held here
     * @throws LockStoreException if the store failed, which changes nothing
     * @since 0.1
     */
    boolean verify();

    /**
     * Renews the lease for the duration it was acquired with, ignoring later durations. The heartbeat
     * uses the same duration from then on. Also works during the grace period of a closing manager.
     *
     * @return the new end
     * @throws LeaseLostException if the lease is lost, or turns out to be lost
     * @throws LockStoreException if the store failed; the lease then keeps its end, unless this
     *     renewal would have ended it earlier
     * @throws IllegalStateException if it was released or detached
     */
    Instant renew();

    /**
     * Renews the lease for another duration, which may be shorter than what remains. The heartbeat uses the same
     * duration from then on. Also works during the grace period of a closing manager.
     *
     * @param leaseDuration the new lease duration, at least 1 ms, at most {@link LockSettings#maxLeaseDuration()}, or
     *     365 days without such a limit
     * @return the new end
     * @throws LeaseLostException if the lease is lost, or turns out to be lost
     * @throws LockStoreException if the store failed; the lease then ends no later than the earlier
     *     of its previous end and the requested one
     * @throws IllegalStateException if it was released or detached
     * @throws InvalidSettingException if the duration is too short or too long
     */
    Instant renew(Duration leaseDuration);

    /**
     * Marks the work under this lease as failed. Changes nothing but what the release writes about this hold for
     * display ({@link LockState#lastHold()}). The methods of {@link LockManager} that run work mark it themselves if it
     * throws; nested work marks nothing. Has no effect after the release.
     *
     * @since 0.1
     */
    void markFailed();

    /**
     * Releases the lock. {@link #isHeld()} is false from the start of this call. Works on an interrupted thread and
     * preserves its interrupt flag. A second call sends no request and returns the outcome of the first, unless that
     * one failed: then it retries, and recognizes what the first call may have achieved without a response.
     *
     * <p>The release of a lost lease only removes what is left of it from the row, if anything can be left. It never
     * throws, and listeners are notified of the loss, not of a release.
     *
     * @return the outcome
     * @throws LockStoreException if the store failed; the lease is then left to expire, and another call retries
     * @throws IllegalStateException if it was detached
     */
    ReleaseOutcome release();

    /**
     * Ends this hold, but keeps the lock unavailable, without a holder, for at least a time from now: until then no
     * process can acquire it. One request, like {@link #release()}, which is the same with zero. A
     * {@linkplain LockRequest#minHold minimum hold} that lasts longer is respected. If the release fails, each later
     * one leaves the lock taken for as long, counted from then; a call after a successful release changes nothing.
     * {@link LockManager#keep} changes the time afterwards, from any process.
     *
     * <p>Of a lease that its thread holds more than once, the last release counts, and leaves the lock taken for the
     * longest of the times requested. A lease that is lost keeps nothing.
     *
     * @param keep zero to 36,500 days
     * @return the outcome
     * @throws InvalidSettingException if the time is negative or too long; nothing is released
     * @throws LockStoreException if the store failed; the lease is then left to expire, and another call retries
     * @throws IllegalStateException if it was detached
     * @since 0.1
     */
    ReleaseOutcome release(Duration keep);

    /**
     * Releases the lock. In a try-with-resources statement, a failure here never hides the exception of the body: it is
     * added to that as suppressed. Throws nothing for a lost lease: a body whose result is worthless without the lock
     * should end with {@link #ensureHeld()}, as the methods of {@link LockManager} that run work do by themselves.
     *
     * @throws LockStoreException if the store failed
     */
    @Override
    void close();

    /**
     * Closes the lease without blocking the calling thread. After its manager has been closed, there is no other
     * thread: if the row must be freed then, the request is sent on the calling one.
     *
     * @return completes when the lock was released, or fails as {@link #close()} would; cannot be cancelled
     */
    CompletionStage<Void> closeAsync();

    /**
     * Registers a callback for a lease {@linkplain LeaseState#AT_RISK at risk}: a renewal has failed, and the lease
     * will be lost unless a later one succeeds before it expires. Runs each time the lease becomes at risk;
     * immediately if it already is when this is called.
     *
     * @param action gets this lease, on a callback thread of the manager; an exception it throws is logged
     * @since 0.1
     */
    void onAtRisk(Consumer<Lease> action);

    /**
     * Registers a callback for the loss of the lease. Runs once; immediately if the lease is already lost; never for a
     * lease that was released normally. Callbacks run in the order of their registration.
     *
     * @param action runs on a callback thread of the manager or, once these have terminated with the manager, on the
     *     calling thread; an exception it throws is logged
     */
    void onLost(Consumer<LeaseLost> action);

    /**
     * Returns the loss of the lease as a future event.
     *
     * @return always the same stage; completes with the reason when the lease is lost, never if it is released normally
     */
    CompletionStage<LeaseLost> lost();

    /**
     * Returns what happens to the work under this lease if it is lost. The manager interrupts threads itself; work that
     * does not run on a thread of its own must be stopped by the code that runs it.
     *
     * @return the option of the request, or the manager's default
     */
    OnLost policy();

    /**
     * Returns the current state of the lease.
     *
     * @return the state
     */
    LeaseState state();

    /**
     * Detaches the lease, after one more renewal for the duration of the last one: returns it as text that another
     * process can {@linkplain LockManager#resume(LeaseToken) resume}. From the start of the call, the lease is not held
     * here any more, whatever the outcome; if the call fails, call it again or release the lease. Also works during the
     * grace period of a closing manager.
     *
     * @return a secret: anyone who has it can take the lock
     * @throws LeaseLostException if the lease is lost, or turns out to be lost
     * @throws LockStoreException if the store failed; the lease can then still be detached or released, and expires
     *     otherwise
     * @throws IllegalStateException if it was already released or detached, if another thread detaches it, or if it is
     *     released meanwhile
     * @throws UnsupportedOperationException if this handle stands for several {@link #leases()}
     */
    LeaseToken detach();
}
