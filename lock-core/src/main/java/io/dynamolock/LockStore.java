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
 * Where the rows are: one per lock name, changed by one conditional write per operation, never deleted.
 *
 * <p>A store decides nothing and retries nothing. Each write says under which condition it applies; a write whose condition
 * does not hold is refused, and the answer carries the row as it was. The same write may arrive twice or late, so each
 * condition makes the second application harmless:
 *
 * <pre>
 * acquire     a token above the floor, and the row free, or past its end on the same clock, or unchanged; or detached
 * renew       the lease is in the row, with a lower renewal number, and not revoked
 * release     the lease is in the row
 * raiseFloor  the floor is lower, and the lease is not in the row
 * revoke      the lease is in the row
 * forceFree   the row is as it was read
 * </pre>
 *
 * <p>A row whose attribute {@code format} is a number above {@value #FORMAT} was written by a later version of this library: no
 * write to it is applied.
 *
 * <p>Implementations are safe for use by many threads. Every method throws {@link LockStoreException} if the store refused,
 * failed or did not answer within the timeout, and works on an interrupted thread only as far as its client does.
 *
 * @since 0.1
 */
public interface LockStore {

    /** The format of the rows of this version, which is also that of rows that name none. */
    int FORMAT = 1;

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
     * Frees a lock whatever its row says, for operators, on condition that the row is still the one that was read. A floor that
     * leaves tokens stays.
     *
     * @param write what to write
     * @param timeout for the whole request
     * @return applied: no row; refused: the row as it is, or null if there is none
     */
    Answer forceFree(ForceFree write, Duration timeout);

    /**
     * Reads one row for {@link #forceFree}: also a row that is too large to be remembered has a {@linkplain LockRow#stamp()
     * stamp} then.
     *
     * @param name the stored name
     * @param timeout for the whole request
     * @return applied, with the row, or with null if there is none
     */
    default Answer readToFree(String name, Duration timeout) {
        return read(name, true, timeout);
    }

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

        @Override
        public String toString() {
            return "Acquire[name=%s, owner=%s, token=%d, expiresAt=%s, clock=%s, onlyIf=%s]"
                    .formatted(name, owner, token, expiresAt, clock, onlyIf);
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
     * @param stamp what the store gave with a row of which lease or number are damaged, to be compared instead of them; null for
     *     an ordinary row
     */
    record Unchanged(
            @Nullable String leaseId,
            @Nullable Long renewals,
            @Nullable Object stamp) implements Guard {

        /**
         * An ordinary row.
         *
         * @param leaseId the lease seen
         * @param renewals the number of its last renewal seen; null if the row had none
         */
        public Unchanged(String leaseId, @Nullable Long renewals) {
            this(leaseId, renewals, null);
        }

        /**
         * Tells whether a row is the one that was seen.
         *
         * @param row the row as it is now
         * @return true if the same lease is in it after the same renewal
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
     * A known lease holds the lock, and was detached, to be carried on under a new id.
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
     * @param number its number, higher than every earlier one
     * @param leaseDuration what a rival must wait who compares no clocks
     * @param expiresAt the new end
     * @param clock the time that the end is told in
     * @param storeEnd not before the new end in the store's own time; null if that is not known
     * @param detaches whether the lease is marked, so that another process may resume it
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
     * @param at now, in the store's own time; null if that is not known
     * @param rest null to free the lock; else how it stays taken without a holder
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
            @Nullable Instant at) {

        @Override
        public String toString() {
            return "RaiseFloor[name=%s, token=%d]".formatted(name, token);
        }
    }

    /**
     * An operator's way out.
     *
     * @param name the stored name
     * @param seen the row as {@link #readToFree} returned it, of a format that is known
     * @param floor the floor to set if the row's leaves no tokens
     * @param at now, in the store's own time; null if that is not known
     */
    record ForceFree(
            String name, LockRow seen, long floor, @Nullable Instant at) {

        /**
         * Tells whether the row leaves no token, so that its floor is to be lowered.
         *
         * @return true if the floor is to be set
         */
        public boolean lowersFloor() {
            return seen.isClosed();
        }

        /**
         * Returns which lease must still be in the row.
         *
         * @return that of the row that was read
         */
        public Unchanged unchanged() {
            return new Unchanged(seen.leaseId(), seen.renewals(), seen.stamp());
        }

        /**
         * Tells whether a row is like the one that was read in whether it leaves tokens.
         *
         * @param row the row as it is now
         * @return false if the floor must be treated differently
         */
        public boolean hasSuchFloor(LockRow row) {
            return row.isClosed() == seen.isClosed();
        }

        /**
         * Returns the floor that is left.
         *
         * @return the highest token that is used up, or {@link #floor()} if that leaves none
         */
        public long floorAfter() {
            return seen.leavesNoToken() ? floor : seen.highestToken();
        }

        /**
         * Tells whether the token in the row goes, too.
         *
         * @return true if it is above the floor that is left, or is no token
         */
        public boolean removesToken() {
            Long token = seen.fencingToken();
            return token == null || token > floorAfter();
        }

        /** Without the lease id. */
        @Override
        public String toString() {
            return "ForceFree[name=%s, floor=%d, at=%s]".formatted(name, floor, at);
        }
    }
}
