/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The notice that a lease ended before its holder released it. It is given once per lease.
 *
 * @param name the lock
 * @param owner the holder that lost it
 * @param reason why
 * @param at when this was known here
 * @param newHolder the owner who holds the lock now, if that is known
 * @since 0.1
 */
public record LeaseLost(
        String name,
        String owner,
        Reason reason,
        Instant at,
        @Nullable String newHolder) {

    /** Why a lease ended. */
    public enum Reason {
        /** Somebody else acquired the lock. */
        TAKEN("it was taken over"),
        /** Somebody revoked it, or released it by force. */
        REVOKED("it was revoked"),
        /** The row is not in the table any more. */
        DELETED("its row was deleted"),
        /** It ran out, and nobody had asked for renewal. */
        EXPIRED("it ran out and was not to be renewed"),
        /** The store could not be reached for so long that the lease ran out. */
        UNREACHABLE("the store could not be reached in time to renew it"),
        /** It reached the longest time it may be held. */
        MAX_HOLD("it reached its maximum hold"),
        /** The lock manager was closed. */
        CLOSED("the lock manager was closed");

        private final String text;

        Reason(String text) {
            this.text = text;
        }
    }

    String describe() {
        return newHolder == null ? reason.text : reason.text + " by '" + newHolder + "'";
    }
}
