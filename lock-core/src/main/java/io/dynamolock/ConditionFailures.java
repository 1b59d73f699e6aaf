/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Release;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the responses to conditional writes. A rejection may be the response to a second copy of a write whose
 * first copy was applied without a response, so each operation recognizes its own traces in the row. An undo and a
 * resumption ask their rows only whether they still hold a lease, so they do so themselves.
 */
final class ConditionFailures {

    private ConditionFailures() {}

    /** Meaning of a rejected acquisition. */
    enum AcquireRefusal {
        /** An earlier copy of the write was applied: the lock is acquired. */
        ACQUIRED,
        /**
         * No other owner holds the lock: a higher token caused the rejection, or the row has changed. Propose again
         * immediately.
         */
        RETRY,
        /** The lock is free, but claimed. As the token need not be the reason, another copy may still be applied. */
        CLAIMED,
        /** Another lease holds the lock. */
        BUSY
    }

    static AcquireRefusal ofAcquire(LockWrite.Acquire write, @Nullable LockRow row, ClockReading sent) {
        if (row == null) {
            return AcquireRefusal.RETRY;
        }
        if (row.isHeldBy(write.leaseId())) {
            return AcquireRefusal.ACQUIRED;
        }
        if (row.isFree() && !write.acquiresDespite(row.claim())) {
            return AcquireRefusal.CLAIMED;
        }
        boolean outbid = row.highestToken() >= write.token();
        return row.isFree() || (outbid && isExpired(write, row, sent)) ? AcquireRefusal.RETRY : AcquireRefusal.BUSY;
    }

    /**
     * Whether the row's lease can be taken over: it has expired, or stayed unchanged for its whole duration.
     */
    private static boolean isExpired(LockWrite.Acquire write, LockRow row, ClockReading sent) {
        return isPastEnd(row, sent) || (write.onlyIf() instanceof Unchanged unchanged && unchanged.fits(row));
    }

    /** Whether a row's lease is past its end, as far as its time can be compared. */
    static boolean isPastEnd(LockRow row, ClockReading now) {
        return row.expiresAt() != null
                && !row.laterFormat()
                && now.isComparableTo(row.clock())
                && row.expiresAt().toEpochMilli() < now.earliestMillis();
    }

    /** Meaning of the response to a renewal. */
    sealed interface RenewRefusal {

        /** The renewal was applied, by this request or by an earlier copy. */
        record Applied() implements RenewRefusal {}

        /**
         * The row still holds the lease, with another end.
         *
         * @param endMillis that end
         */
        record Overtaken(long endMillis) implements RenewRefusal {}

        /**
         * The row no longer holds the lease.
         *
         * @param reason why
         * @param newHolder the owner that holds the lock now; null if there is none
         */
        record Gone(Reason reason, @Nullable String newHolder) implements RenewRefusal {}
    }

    static RenewRefusal ofRenewal(LockWrite.Renew write, Response response) {
        return response.applied() ? new RenewRefusal.Applied() : ofRenewal(write, response.row());
    }

    static RenewRefusal ofRenewal(LockWrite.Renew write, @Nullable LockRow row) {
        if (row == null || !row.isHeldBy(write.leaseId()) || row.revoked()) {
            return gone(write.leaseId(), row);
        }
        boolean sameWrite = Objects.equals(row.renewals(), write.number())
                && write.expiresAt().equals(row.expiresAt());
        if (sameWrite) {
            return new RenewRefusal.Applied();
        }
        return new RenewRefusal.Overtaken(
                row.expiresAt() == null ? 0 : row.expiresAt().toEpochMilli());
    }

    /**
     * Returns why a lease cannot be renewed any more, from its row. If the row still holds the lease, it merely expired
     * for lack of a response.
     */
    static RenewRefusal.Gone gone(String leaseId, @Nullable LockRow row) {
        if (row == null) {
            return new RenewRefusal.Gone(Reason.DELETED, null);
        }
        if (row.isHeldBy(leaseId)) {
            return new RenewRefusal.Gone(row.revoked() ? Reason.REVOKED : Reason.UNREACHABLE, null);
        }
        if (row.isFree() && isReleased(leaseId, row)) {
            return new RenewRefusal.Gone(Reason.REVOKED, null);
        }
        return new RenewRefusal.Gone(Reason.TAKEN, row.isFree() ? null : row.owner());
    }

    /** Whether the release of this lease was the last one, by whomever; the row no longer holds the lease. */
    static boolean isReleased(String leaseId, LockRow row) {
        return !row.isHeldBy(leaseId) && leaseId.equals(row.lastLeaseId());
    }

    /**
     * Returns the meaning of the response to a release.
     *
     * @param unanswered whether an earlier attempt of the same release got no response
     * @param beforeEnd whether the lease has not ended yet: another process can then have acquired the lock only if an
     *     unanswered release was applied. A lease whose detach failed counts, too, as nobody has its token
     */
    static ReleaseOutcome ofRelease(Release write, Response response, boolean unanswered, boolean beforeEnd) {
        LockRow row = response.row();
        return response.applied() || mustHaveBeenReleased(write, row, unanswered && beforeEnd)
                ? ReleaseOutcome.RELEASED
                : ofRejectedRelease(write.leaseId(), row, unanswered);
    }

    private static boolean mustHaveBeenReleased(Release write, @Nullable LockRow row, boolean only) {
        return row != null && (only || isTraceOf(write, row));
    }

    /** Whether another copy of this very write was applied before: nobody else writes the same last hold. */
    private static boolean isTraceOf(Release write, LockRow row) {
        return write.lastHold() != null
                && write.leaseId().equals(row.lastLeaseId())
                && write.lastHold().equals(row.lastHold());
    }

    /** Whether the lock was free when the store responded to a release. */
    static boolean showsFreeLock(Response response) {
        LockRow row = response.row();
        return response.applied() || row == null || row.isFree();
    }

    /**
     * Returns the meaning of a rejected release, from its row only.
     *
     * @param unanswered whether an earlier attempt of the same release got no response
     */
    static ReleaseOutcome ofRejectedRelease(String leaseId, @Nullable LockRow row, boolean unanswered) {
        if (row == null) {
            return ReleaseOutcome.ALREADY_GONE;
        }
        if (unanswered && leaseId.equals(row.lastLeaseId())) {
            return ReleaseOutcome.RELEASED;
        }
        return row.isFree() ? ReleaseOutcome.ALREADY_GONE : ReleaseOutcome.NOT_OWNED;
    }

    /**
     * Whether a lock was freed by force: the row is as the write leaves it. Then an earlier copy of a rejected write
     * was applied without a response.
     *
     * @param observed the row before
     * @param row the row that rejected the write
     */
    static boolean isForceFreed(LockRow observed, @Nullable LockRow row) {
        return row != null
                && row.isFree()
                && !row.isClosed()
                && (observed.leaseId() == null || observed.leaseId().equals(row.lastLeaseId()));
    }
}
