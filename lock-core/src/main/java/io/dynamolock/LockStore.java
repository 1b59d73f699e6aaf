/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows are: one per lock name, changed by one conditional write per operation, never deleted.
 *
 * <p>A store decides nothing and retries nothing. Each write says under which condition it applies; a write whose condition
 * does not hold is refused, and the answer carries the row as it was. The same write may arrive twice or late, so each
 * condition makes the second application harmless:
 *
 * <pre>
 * acquire     a token above the floor, and the row free, or past its end on the same clock, or unchanged; or ours to resume
 * renew       the lease is in the row, with a lower renewal number, and not revoked
 * release     the lease is in the row
 * raiseFloor  the floor is lower, and the lease is not in the row
 * revoke      the lease is in the row
 * </pre>
 *
 * <p>Implementations are safe for use by many threads. Every method throws {@link LockStoreException} if the store refused,
 * failed or did not answer within the timeout, and works on an interrupted thread only as far as its client does.
 *
 * @since 0.1
 */
public interface LockStore {

    /**
     * Makes a lease the holder.
     *
     * @param write what to write, and when
     * @param timeout for the whole request
     * @return applied: the row as it is now; refused: as it was
     */
    Answer acquire(Acquire write, Duration timeout);

    /**
     * Gives a lease a new end.
     *
     * @param write what to write
     * @param timeout for the whole request
     * @return applied: no row; refused: the row as it was
     */
    Answer renew(Renew write, Duration timeout);

    /**
     * Frees the lock, or leaves it taken for a rest of time.
     *
     * @param write what to write
     * @param timeout for the whole request
     * @return applied: no row; refused: the row as it was
     */
    Answer release(Release write, Duration timeout);

    /**
     * Uses a token up, so that an acquire that proposes it is refused whenever it arrives.
     *
     * @param write what to write
     * @param timeout for the whole request
     * @return applied: no row; refused: the row as it was
     */
    Answer raiseFloor(RaiseFloor write, Duration timeout);

    /**
     * Marks a lease so that no renewal of it is applied any more.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param timeout for the whole request
     * @return applied: no row; refused: the row as it was
     */
    Answer revoke(String name, String leaseId, Duration timeout);

    /**
     * Reads one row.
     *
     * @param name the stored name
     * @param consistent false if a slightly old row will do, at half the price
     * @param timeout for the whole request
     * @return applied, with the row, or with null if there is none
     */
    Answer read(String name, boolean consistent, Duration timeout);

    /**
     * Tells the time that an answer outside of these operations carried, when the table was looked at for example; so that a
     * manager that starts afterwards need not ask.
     *
     * @return null if there was none
     */
    default @Nullable TimeSample lastTime() {
        return null;
    }

    /**
     * Tells which store this is, for messages and lease tokens.
     *
     * @return for example {@code table 'dynamolock'}; the same in every process that uses the same rows
     */
    String describe();

    /**
     * The store's time, as one answer told it. With the machine's wall clock beside the monotonic one: whether the machine was
     * suspended since then shows in nothing else.
     *
     * @param sentNanos {@link System#nanoTime()} before the request was sent
     * @param sentAt the machine's wall clock, read right after that
     * @param receivedNanos {@link System#nanoTime()} when the answer was there
     * @param receivedAt the machine's wall clock, read right after that
     * @param date the store's own time in whole seconds
     */
    record TimeSample(long sentNanos, Instant sentAt, long receivedNanos, Instant receivedAt, Instant date) {}

    /**
     * What a store answers.
     *
     * @param applied whether the condition held
     * @param row the row that the operation promises; null if there is none
     * @param date the store's own time in whole seconds, as its answer told it; null if it told none
     */
    record Answer(
            boolean applied,
            @Nullable LockRow row,
            @Nullable Instant date) {}

    /**
     * An acquisition.
     *
     * @param name the stored name
     * @param leaseId the new lease
     * @param owner who, for display
     * @param token the proposed fencing token
     * @param leaseDuration what a rival must wait who compares no clocks
     * @param acquiredAt now
     * @param expiresAt the end of the lease
     * @param clock the time that the end is told in
     * @param metadata to write beside it
     * @param onlyIf what must be true of the row, besides the floor
     * @param storeEnd not before the end of the lease in the store's own time, whichever time the end is told in; null if that
     *     is not known: the store's clean-up must then not touch the row
     */
    record Acquire(
            String name,
            String leaseId,
            String owner,
            long token,
            Duration leaseDuration,
            Instant acquiredAt,
            Instant expiresAt,
            LeaseTime clock,
            Map<String, String> metadata,
            Guard onlyIf,
            @Nullable Instant storeEnd) {

        /**
         * An acquisition by a process that knows the store's time only if the end is told in it.
         *
         * @param name the stored name
         * @param leaseId the new lease
         * @param owner who, for display
         * @param token the proposed fencing token
         * @param leaseDuration what a rival must wait who compares no clocks
         * @param acquiredAt now
         * @param expiresAt the end of the lease
         * @param clock the time that the end is told in
         * @param metadata to write beside it
         * @param onlyIf what must be true of the row, besides the floor
         */
        public Acquire(
                String name,
                String leaseId,
                String owner,
                long token,
                Duration leaseDuration,
                Instant acquiredAt,
                Instant expiresAt,
                LeaseTime clock,
                Map<String, String> metadata,
                Guard onlyIf) {
            this(
                    name,
                    leaseId,
                    owner,
                    token,
                    leaseDuration,
                    acquiredAt,
                    expiresAt,
                    clock,
                    metadata,
                    onlyIf,
                    LockStore.storeEnd(expiresAt, clock));
        }
    }

    private static @Nullable Instant storeEnd(Instant expiresAt, LeaseTime clock) {
        return clock == LeaseTime.SERVER ? expiresAt : null;
    }

    /** What must be true of the row for an acquisition. */
    sealed interface Guard {}

    /** Nobody holds the lock. */
    record Free() implements Guard {}

    /**
     * Nobody holds the lock, or its lease is past its end.
     *
     * @param before surely past: the early edge of now
     * @param clock the time it is told in; a row in another time does not match
     */
    record FreeOrExpired(Instant before, LeaseTime clock) implements Guard {}

    /**
     * Nobody holds the lock, or the row is as it was seen a whole lease ago.
     *
     * @param leaseId the lease seen
     * @param renewals the number of its last renewal seen; null if the row had none
     */
    record Unchanged(String leaseId, @Nullable Long renewals) implements Guard {}

    /**
     * A known lease holds the lock, to be carried on under a new id.
     *
     * @param leaseId the lease
     */
    record HeldBy(String leaseId) implements Guard {}

    /**
     * A renewal.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param number its number, higher than every earlier one
     * @param leaseDuration what a rival must wait who compares no clocks
     * @param expiresAt the new end
     * @param clock the time that the end is told in
     * @param storeEnd not before the new end in the store's own time; null if that is not known
     */
    record Renew(
            String name,
            String leaseId,
            long number,
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            @Nullable Instant storeEnd) {

        /**
         * A renewal by a process that knows the store's time only if the end is told in it.
         *
         * @param name the stored name
         * @param leaseId the lease
         * @param number its number, higher than every earlier one
         * @param leaseDuration what a rival must wait who compares no clocks
         * @param expiresAt the new end
         * @param clock the time that the end is told in
         */
        public Renew(
                String name, String leaseId, long number, Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
            this(name, leaseId, number, leaseDuration, expiresAt, clock, LockStore.storeEnd(expiresAt, clock));
        }
    }

    /**
     * A release.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param at now, in the store's own time; null if that is not known
     * @param rest null to free the lock; else how it stays taken without a holder
     */
    record Release(
            String name,
            String leaseId,
            @Nullable Instant at,
            @Nullable Rest rest) {}

    /**
     * How a lock stays taken after its holder is done. No renewal is applied in this time.
     *
     * @param leaseDuration what a rival must wait who compares no clocks
     * @param expiresAt when it becomes free
     * @param clock the time that this is told in
     * @param storeEnd not before that moment in the store's own time; null if that is not known
     */
    record Rest(
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            @Nullable Instant storeEnd) {

        /** The renewal number of a row at rest: higher than that of any renewal, so that none is applied, however late. */
        public static final long RENEWALS = 9_000_000_000_000_000L;

        /**
         * A rest that is told by a process that knows the store's time only if the end is told in it.
         *
         * @param leaseDuration what a rival must wait who compares no clocks
         * @param expiresAt when it becomes free
         * @param clock the time that this is told in
         */
        public Rest(Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
            this(leaseDuration, expiresAt, clock, LockStore.storeEnd(expiresAt, clock));
        }
    }

    /**
     * A token to be used up.
     *
     * @param name the stored name
     * @param leaseId the lease that was to have it
     * @param token the token
     * @param at now, in the store's own time; null if that is not known
     */
    record RaiseFloor(
            String name,
            String leaseId,
            long token,
            @Nullable Instant at) {}
}
