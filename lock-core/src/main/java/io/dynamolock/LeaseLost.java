/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The notification that a lease ended before its holder released it. Sent once per lease.
 *
 * @param name the lock name
 * @param owner the holder that lost the lease
 * @param reason why the lease was lost
 * @param at when the loss was detected here
 * @param newHolder the owner that holds the lock now, if known
 * @param lastFailure why the last answered or timed-out renewal of an {@link Reason#UNREACHABLE} lease failed; null if
 *     none has failed since one succeeded, or if this process was paused at the end of the lease
 * @since 0.1
 */
public record LeaseLost(
        String name,
        String owner,
        Reason reason,
        Instant at,
        @Nullable String newHolder,
        @Nullable String lastFailure) {

    /**
     * Creates a notification without a failure.
     *
     * @param name the lock name
     * @param owner the holder that lost the lease
     * @param reason why the lease was lost
     * @param at when the loss was detected here
     * @param newHolder the owner that holds the lock now, if known
     */
    public LeaseLost(String name, String owner, Reason reason, Instant at, @Nullable String newHolder) {
        this(name, owner, reason, at, newHolder, null);
    }

    /** Why a lease was lost. */
    public enum Reason {
        /** Another lease took the lock over, or something other than this library changed its row. */
        TAKEN("it was taken over"),
        /** The lease was revoked, or released by force. */
        REVOKED("it was revoked"),
        /** The row is no longer in the table. */
        DELETED("its row was deleted"),
        /** The lease expired, and was not set to be renewed. */
        EXPIRED("it expired and was not set to be renewed"),
        /**
         * The lease expired before a renewal succeeded: the store rejected it or did not respond, this process was
         * paused, or its clock was set forward, which looks like a suspended machine.
         */
        UNREACHABLE(
                "it was not renewed in time: the store did not respond, this process was paused, or its clock was set forward"),
        /** The lease reached its maximum hold time. */
        MAX_HOLD("it reached its maximum hold time"),
        /** The lock manager was closed. */
        CLOSED("the lock manager was closed");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    String describe() {
        return describe(reason.text);
    }

    /** Describes the loss of a detached lease, to which its resumption looks like a takeover. */
    String describeDetached() {
        return describe(reason == Reason.TAKEN ? "it was resumed or taken over" : reason.text);
    }

    private String describe(String text) {
        if (lastFailure != null) {
            return "it was not renewed in time, as renewals failed, the last one with: " + lastFailure;
        }
        if (newHolder != null) {
            return text + " by '" + newHolder + "'";
        }
        return reason == Reason.TAKEN ? text + ", or its row was changed by something else" : text;
    }
}
