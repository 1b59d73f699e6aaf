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
 * A write to one row of a {@link LockStore}, which documents the condition under which each of them applies. No write
 * shows a lease id in its text: a lease id allows its reader to revoke or free the lock.
 *
 * @since 0.1
 */
public sealed interface LockWrite {

    /** Less than the text of any claim. */
    String NO_CLAIM = "-";

    /**
     * Returns the name of the row.
     *
     * @return the stored name
     */
    String name();

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
     * @param claim the text of the only claim despite which a free lock may be acquired
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
            LockGuard onlyIf,
            @Nullable Instant storeEnd,
            String claim)
            implements LockWrite {

        /** Returns the same write, for a free lock with this claim. */
        Acquire despite(TurnClaim other) {
            return new Acquire(
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
                    storeEnd,
                    other.text());
        }

        /**
         * Returns whether this write may acquire the lock despite the claim in a free row.
         *
         * @param other the claim; null if there is none
         * @return true if there is none, or the one of this write
         */
        public boolean acquiresDespite(@Nullable TurnClaim other) {
            return other == null || other.text().equals(claim);
        }

        @Override
        public String toString() {
            return "Acquire[name=%s, owner=%s, token=%s, expiresAt=%s, clock=%s, onlyIf=%s]"
                    .formatted(name, owner, token, expiresAt, clock, onlyIf);
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
            boolean detaches)
            implements LockWrite {

        @Override
        public String toString() {
            return "Renew[name=%s, number=%s, expiresAt=%s, clock=%s, detaches=%s]"
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
     * @param lastHold what the row keeps about this hold, its duration included; null to keep what it has, because the
     *     lease was never used, or its holder does not release it
     */
    record Release(
            String name,
            String leaseId,
            @Nullable Instant at,
            @Nullable Rest rest,
            @Nullable LastHold lastHold) implements LockWrite {

        /**
         * Creates a release after which the row keeps what it has about the last hold.
         *
         * @param name the stored name
         * @param leaseId the lease
         * @param at now, in the store's own time; null if that is unknown
         * @param rest null to free the lock; otherwise how it stays taken without a holder
         */
        public Release(String name, String leaseId, @Nullable Instant at, @Nullable Rest rest) {
            this(name, leaseId, at, rest, null);
        }

        @Override
        public String toString() {
            return "Release[name=%s, rest=%s]".formatted(name, rest);
        }
    }

    /**
     * How a lock stays taken after its holder has released it. No renewal is applied in this time.
     *
     * @param leaseDuration how long a process without a common clock must observe the row unchanged to take over
     * @param expiresAt when the lock becomes free
     * @param clock the time source of {@code expiresAt}
     * @param storeEnd not before that moment in the store's own time; null if that is unknown
     * @param number the renewal number of the row: {@link #FIRST}, and one more for each change of the end. A row with
     *     this or a higher number, up to {@link #LAST}, rejects the write, so a late copy undoes no change
     */
    record Rest(
            Duration leaseDuration,
            Instant expiresAt,
            LeaseTime clock,
            @Nullable Instant storeEnd,
            long number) {

        /** The lowest number: higher than that of any renewal, so that none is applied, however late. */
        public static final long FIRST = 9_000_000_000_000_000L;

        /** The highest number: that of a row can be read up to it. */
        public static final long LAST = LockRow.HIGHEST_TOKEN;
    }

    /**
     * A write that claims the next turn under a lease of another process.
     *
     * @param name the stored name
     * @param claim the claim; it replaces a junior one
     */
    record Claim(String name, TurnClaim claim) implements LockWrite {

        /**
         * Returns whether a row permits the write.
         *
         * @param row the row; a later version's permits none
         * @return true if it holds a lease, and no claim or a junior one
         */
        public boolean isPermittedBy(LockRow row) {
            return !row.laterFormat() && row.leaseId() != null && claim.replaces(row.claim());
        }
    }

    /**
     * A write that withdraws a claim, because no caller of the claimant waits any more.
     *
     * @param name the stored name
     * @param claim the claim to remove
     */
    record WithdrawClaim(String name, TurnClaim claim) implements LockWrite {}

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
            @Nullable Instant at) implements LockWrite {

        @Override
        public String toString() {
            return "RaiseFloor[name=%s, token=%s]".formatted(name, token);
        }
    }

    /**
     * A write that frees a lock by force.
     *
     * @param name the stored name
     * @param seen the row as {@link LockStore#readToFree} returned it, of a known format
     * @param floor the floor to set if that of the row leaves no tokens
     * @param at now, in the store's own time; null if that is unknown
     */
    record ForceFree(
            String name, LockRow seen, long floor, @Nullable Instant at) implements LockWrite {

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
        public LockGuard.Unchanged unchanged() {
            return LockGuard.Unchanged.of(seen);
        }

        /**
         * Returns whether the floor of a row still needs the same treatment as when it was read.
         *
         * @param row the row as it is now
         * @return false if only one of the two rows leaves tokens
         */
        public boolean floorIsStill(LockRow row) {
            return row.isClosed() == seen.isClosed();
        }

        /**
         * Returns the floor after the write.
         *
         * @return the highest consumed token, or {@link #floor()} if that leaves none
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
            return "ForceFree[name=%s, floor=%s, at=%s]".formatted(name, floor, at);
        }
    }
}
