/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockStore.Unchanged;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a refused write's row means: the one place that decides "is this ours?". A refusal may be the answer to a second copy of
 * a write of which the first was applied without an answer, so each operation recognises its own traces.
 */
final class ConditionFailures {

    private ConditionFailures() {}

    /** What a refused acquisition means. */
    enum Acquisition {
        /** An earlier copy of it was applied: acquired. */
        OURS,
        /** Nobody is in the way but a higher token, or the row has changed: propose anew, at once. */
        AGAIN,
        /** Somebody else holds the lock. */
        BUSY
    }

    static Acquisition ofAcquire(LockStore.Acquire write, @Nullable LockRow row, ClockReading sent) {
        if (row == null) {
            return Acquisition.AGAIN;
        }
        if (row.isHeldBy(write.leaseId())) {
            return Acquisition.OURS;
        }
        boolean outbid = row.highestToken() >= write.token();
        return row.isFree() || (outbid && isOver(write, row, sent)) ? Acquisition.AGAIN : Acquisition.BUSY;
    }

    /** Whether the row's lease was in nobody's way: past its end, or the very one that has stood still for so long. */
    private static boolean isOver(LockStore.Acquire write, LockRow row, ClockReading sent) {
        return isPastEnd(row, sent) || (write.onlyIf() instanceof Unchanged still && still.fits(row));
    }

    /** Whether a row's lease is past its end in a time that can be compared. */
    static boolean isPastEnd(LockRow row, ClockReading now) {
        return row.expiresAt() != null
                && !row.laterFormat()
                && now.compares(row.clock())
                && row.expiresAt().toEpochMilli() < now.earliestMillis();
    }

    /** What a refused renewal means. */
    sealed interface Renewal {

        /** An earlier copy of it was applied. */
        record Applied() implements Renewal {}

        /**
         * The lease is in the row, with another end.
         *
         * @param endMillis that end
         */
        record Overtaken(long endMillis) implements Renewal {}

        /**
         * The lease is gone.
         *
         * @param reason why
         * @param newHolder who has the lock now, if anybody
         */
        record Gone(Reason reason, @Nullable String newHolder) implements Renewal {}
    }

    static Renewal ofRenewal(LockStore.Renew write, @Nullable LockRow row) {
        if (row == null || !row.isHeldBy(write.leaseId()) || row.revoked()) {
            return gone(write.leaseId(), row);
        }
        boolean same = Objects.equals(row.renewals(), write.number())
                && write.expiresAt().equals(row.expiresAt());
        if (same) {
            return new Renewal.Applied();
        }
        return new Renewal.Overtaken(
                row.expiresAt() == null ? 0 : row.expiresAt().toEpochMilli());
    }

    /** Why a lease is not renewed any more, from its row. A row that still holds it only ran out for want of an answer. */
    static Renewal.Gone gone(String leaseId, @Nullable LockRow row) {
        if (row == null) {
            return new Renewal.Gone(Reason.DELETED, null);
        }
        if (row.isHeldBy(leaseId)) {
            return new Renewal.Gone(row.revoked() ? Reason.REVOKED : Reason.UNREACHABLE, null);
        }
        if (row.isFree() && leaseId.equals(row.lastLeaseId())) {
            return new Renewal.Gone(Reason.REVOKED, null);
        }
        return new Renewal.Gone(Reason.TAKEN, row.owner());
    }

    /**
     * What a refused release means.
     *
     * @param unanswered whether an earlier attempt of the same release got no answer
     */
    static ReleaseOutcome ofRelease(String leaseId, @Nullable LockRow row, boolean unanswered) {
        if (row == null) {
            return ReleaseOutcome.ALREADY_GONE;
        }
        if (unanswered && leaseId.equals(row.lastLeaseId())) {
            return ReleaseOutcome.RELEASED;
        }
        return row.isFree() ? ReleaseOutcome.ALREADY_GONE : ReleaseOutcome.NOT_OWNED;
    }
}
