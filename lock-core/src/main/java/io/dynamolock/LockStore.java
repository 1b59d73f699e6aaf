/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Storage of the lock rows: one per lock name, changed by one conditional write per operation, never deleted.
 *
 * <p>A store makes no decisions and does not retry. Each write carries the condition under which it applies; a write
 * whose condition does not hold is refused, and the response carries the row as it was. The same write may arrive twice
 * or late, so each condition makes the second application harmless:
 *
 * <pre>
 * acquire     a token above the floor, and the row free, or expired by the same clock, or unchanged; or detached
 * renew       the lease is in the row, with a lower renewal number, and not revoked
 * release     the lease is in the row
 * raiseFloor  the floor is lower, and the lease is not in the row
 * revoke      the lease is in the row
 * forceFree   the row is as it was read
 * </pre>
 *
 * <p>A row whose attribute {@code format} is a number above {@value #FORMAT} was written by a later version of this
 * library: no write to it is applied.
 *
 * <p>Implementations are thread-safe. Every method throws {@link LockStoreException} if the store refused the request,
 * failed or did not respond within the timeout, and works on an interrupted thread only as far as its client does.
 *
 * @since 0.1
 */
public interface LockStore {

    /** The row format of this version, which is also that of rows without the attribute. */
    int FORMAT = 1;

    /**
     * Makes a lease the holder.
     *
     * @param write the write and its condition
     * @param timeout the timeout of the whole request
     * @return applied: with the row as it is now; refused: with the row as it was
     */
    Answer acquire(Acquire write, Duration timeout);

    /**
     * Extends a lease.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; refused: with the row as it was
     */
    Answer renew(Renew write, Duration timeout);

    /**
     * Frees the lock, or leaves it taken without a holder for a remaining time.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; refused: with the row as it was
     */
    Answer release(Release write, Duration timeout);

    /**
     * Uses up a token, so that an acquire that proposes it is refused whenever it arrives.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; refused: with the row as it was
     */
    Answer raiseFloor(RaiseFloor write, Duration timeout);

    /**
     * Marks a lease as revoked: no renewal of it is applied any more.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param timeout the timeout of the whole request
     * @return applied: without a row; refused: with the row as it was
     */
    Answer revoke(String name, String leaseId, Duration timeout);

    /**
     * Frees a lock whatever its row contains, for operators, on condition that the row is still the one that was read.
     * A floor that leaves tokens is kept.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; refused: with the row as it is, or null if there is no row
     */
    Answer forceFree(ForceFree write, Duration timeout);

    /**
     * Reads one row for {@link #forceFree}: here a row that is too large to be remembered has a
     * {@linkplain LockRow#stamp() stamp} as well.
     *
     * @param name the stored name
     * @param timeout the timeout of the whole request
     * @return applied, with the row, or with null if there is no row
     */
    default Answer readToFree(String name, Duration timeout) {
        return read(name, true, timeout);
    }

    /**
     * Reads one row.
     *
     * @param name the stored name
     * @param consistent false if a slightly stale row is acceptable, at half the price
     * @param timeout the timeout of the whole request
     * @return applied, with the row, or with null if there is no row
     */
    Answer read(String name, boolean consistent, Duration timeout);

    /**
     * Returns the time that the last response outside of these operations carried, for example when the table was
     * described, so that a manager that is built afterwards does not need to sample the store's clock.
     *
     * @return null if there was none
     */
    default @Nullable TimeSample lastTime() {
        return null;
    }

    /**
     * Returns a description of this store, for messages and lease tokens.
     *
     * @return for example {@code table 'dynamolock'}; the same in every process that uses the same rows
     */
    String describe();

    /**
     * A sample of the store's time, from one response. It has the machine's wall clock beside the monotonic one,
     * because nothing else reveals whether the machine was suspended since then.
     *
     * @param sentNanos {@link System#nanoTime()} before the request was sent
     * @param sentAt the machine's wall clock, read right after that
     * @param receivedNanos {@link System#nanoTime()} when the response had arrived
     * @param receivedAt the machine's wall clock, read right after that
     * @param date the store's own time in whole seconds
     */
    record TimeSample(long sentNanos, Instant sentAt, long receivedNanos, Instant receivedAt, Instant date) {}

    /**
     * The response of a store.
     *
     * @param applied whether the condition held
     * @param row the row that the operation promises; null if there is none
     * @param date the store's own time in whole seconds, from the response; null if it carried none
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
     * @param owner the readable identity of the holder
     * @param token the proposed fencing token
     * @param leaseDuration how long another process must observe the row unchanged before it can take over without a
     *     common clock
     * @param acquiredAt now
     * @param expiresAt the end of the lease
     * @param clock the time source of {@code expiresAt}
     * @param metadata texts to store with the lease
     * @param onlyIf the condition on the row, in addition to the floor
     * @param storeEnd not before the end of the lease in the store's own time, whatever {@code clock} is; null if that
     *     is unknown: the store's clean-up must then not touch the row
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
         * Creates an acquisition by a process that knows the store's time only if {@code clock} is
         * {@link LeaseTime#SERVER}.
         *
         * @param name the stored name
         * @param leaseId the new lease
         * @param owner the readable identity of the holder
         * @param token the proposed fencing token
         * @param leaseDuration how long another process must observe the row unchanged before it can take over without
         *     a common clock
         * @param acquiredAt now
         * @param expiresAt the end of the lease
         * @param clock the time source of {@code expiresAt}
         * @param metadata texts to store with the lease
         * @param onlyIf the condition on the row, in addition to the floor
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

        @Override
        public String toString() {
            return "Acquire[name=%s, owner=%s, token=%d, expiresAt=%s, clock=%s, onlyIf=%s]"
                    .formatted(name, owner, token, expiresAt, clock, onlyIf);
        }
    }

    private static @Nullable Instant storeEnd(Instant expiresAt, LeaseTime clock) {
        return clock == LeaseTime.SERVER ? expiresAt : null;
    }

    /** The condition on the row for an acquisition. */
    sealed interface Guard {}

    /** The lock is free. */
    record Free() implements Guard {}

    /**
     * The lock is free, or its lease has expired.
     *
     * @param before the earliest possible current time: an end before it has certainly passed
     * @param clock the time source of {@code before}; a row with another time source does not match
     */
    record FreeOrExpired(Instant before, LeaseTime clock) implements Guard {}

    /**
     * The lock is free, or the row is as it was seen a whole lease duration ago.
     *
     * @param leaseId the lease seen
     * @param renewals the number of its last renewal seen; null if the row had none
     * @param stamp the store's stamp of a row whose lease or renewal number is damaged, compared instead of them; null
     *     for an ordinary row
     */
    record Unchanged(
            @Nullable String leaseId,
            @Nullable Long renewals,
            @Nullable Object stamp) implements Guard {

        /**
         * Creates the condition for an ordinary row.
         *
         * @param leaseId the lease seen
         * @param renewals the number of its last renewal seen; null if the row had none
         */
        public Unchanged(String leaseId, @Nullable Long renewals) {
            this(leaseId, renewals, null);
        }

        /**
         * Returns whether a row is the one that was seen.
         *
         * @param row the row as it is now
         * @return true if it has the same lease after the same renewal
         */
        public boolean fits(LockRow row) {
            return Objects.equals(row.leaseId(), leaseId)
                    && Objects.equals(row.renewals(), renewals)
                    && Objects.equals(row.stamp(), stamp);
        }

        @Override
        public String toString() {
            return "Unchanged[renewals=" + renewals + "]";
        }
    }

    /**
     * A given lease holds the lock and is detached, and is to be resumed under a new id.
     *
     * @param leaseId the lease
     */
    record HeldBy(String leaseId) implements Guard {

        @Override
        public String toString() {
            return "HeldBy[]";
        }
    }

    /**
     * A renewal.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param number the renewal number, higher than every earlier one
     * @param leaseDuration how long another process must observe the row unchanged before it can take over without a
     *     common clock
     * @param expiresAt the new end
     * @param clock the time source of {@code expiresAt}
     * @param storeEnd not before the new end in the store's own time; null if that is unknown
     * @param detaches whether the lease is marked as detached, so that another process may resume it
     */
    record Renew(
            String name,
            String leaseId,
            long number,
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            @Nullable Instant storeEnd,
            boolean detaches) {

        /**
         * Creates a renewal by a process that knows the store's time only if {@code clock} is {@link LeaseTime#SERVER}.
         *
         * @param name the stored name
         * @param leaseId the lease
         * @param number the renewal number, higher than every earlier one
         * @param leaseDuration how long another process must observe the row unchanged before it can take over without
         *     a common clock
         * @param expiresAt the new end
         * @param clock the time source of {@code expiresAt}
         */
        public Renew(
                String name, String leaseId, long number, Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
            this(name, leaseId, number, leaseDuration, expiresAt, clock, LockStore.storeEnd(expiresAt, clock), false);
        }

        @Override
        public String toString() {
            return "Renew[name=%s, number=%d, expiresAt=%s, clock=%s, detaches=%s]"
                    .formatted(name, number, expiresAt, clock, detaches);
        }
    }

    /**
     * A release.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param at now, in the store's own time; null if that is unknown
     * @param rest null to free the lock; otherwise how it stays taken without a holder
     */
    record Release(
            String name,
            String leaseId,
            @Nullable Instant at,
            @Nullable Rest rest) {

        @Override
        public String toString() {
            return "Release[name=%s, rest=%s]".formatted(name, rest);
        }
    }

    /**
     * How a lock stays taken after its holder has released it. No renewal is applied in this time.
     *
     * @param leaseDuration how long another process must observe the row unchanged before it can take over without a
     *     common clock
     * @param expiresAt when the lock becomes free
     * @param clock the time source of {@code expiresAt}
     * @param storeEnd not before that moment in the store's own time; null if that is unknown
     */
    record Rest(
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            @Nullable Instant storeEnd) {

        /**
         * The renewal number of a row at rest: higher than that of any renewal, so that none is applied, however late.
         */
        public static final long RENEWALS = 9_000_000_000_000_000L;

        /**
         * Creates a rest for a process that knows the store's time only if {@code clock} is {@link LeaseTime#SERVER}.
         *
         * @param leaseDuration how long another process must observe the row unchanged before it can take over without
         *     a common clock
         * @param expiresAt when the lock becomes free
         * @param clock the time source of {@code expiresAt}
         */
        public Rest(Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
            this(leaseDuration, expiresAt, clock, LockStore.storeEnd(expiresAt, clock));
        }
    }

    /**
     * A write that uses up a token.
     *
     * @param name the stored name
     * @param leaseId the lease for which the token was proposed
     * @param token the token
     * @param at now, in the store's own time; null if that is unknown
     */
    record RaiseFloor(
            String name,
            String leaseId,
            long token,
            @Nullable Instant at) {

        @Override
        public String toString() {
            return "RaiseFloor[name=%s, token=%d]".formatted(name, token);
        }
    }

    /**
     * A write that frees a lock by force.
     *
     * @param name the stored name
     * @param seen the row as {@link #readToFree} returned it, of a known format
     * @param floor the floor to set if that of the row leaves no tokens
     * @param at now, in the store's own time; null if that is unknown
     */
    record ForceFree(
            String name, LockRow seen, long floor, @Nullable Instant at) {

        /**
         * Returns whether the row leaves no token, so that its floor must be lowered.
         *
         * @return true if the floor is to be set
         */
        public boolean lowersFloor() {
            return seen.isClosed();
        }

        /**
         * Returns the condition that the same lease is still in the row.
         *
         * @return the condition for the row that was read
         */
        public Unchanged unchanged() {
            return new Unchanged(seen.leaseId(), seen.renewals(), seen.stamp());
        }

        /**
         * Returns whether a row leaves tokens exactly if the row that was read does.
         *
         * @param row the row as it is now
         * @return false if the floor must be treated differently
         */
        public boolean hasSuchFloor(LockRow row) {
            return row.isClosed() == seen.isClosed();
        }

        /**
         * Returns the floor after the write.
         *
         * @return the highest token that is used up, or {@link #floor()} if that leaves none
         */
        public long floorAfter() {
            return seen.leavesNoToken() ? floor : seen.highestToken();
        }

        /**
         * Returns whether the token in the row is removed as well.
         *
         * @return true if it is above the floor after the write, or is not a token
         */
        public boolean removesToken() {
            Long token = seen.fencingToken();
            return token == null || token > floorAfter();
        }

        /** Omits the lease id. */
        @Override
        public String toString() {
            return "ForceFree[name=%s, floor=%d, at=%s]".formatted(name, floor, at);
        }
    }
}
