/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The condition on the row for an acquisition, in addition to the floor.
 *
 * @since 0.1
 */
public sealed interface LockGuard {

    /** The lock is free. */
    record Free() implements LockGuard {}

    /**
     * The lock is free, or its lease has expired.
     *
     * @param before the earliest possible current time: an end before it has certainly passed
     * @param clock the time source of {@code before}; a row with another time source does not match
     */
    record FreeOrExpired(Instant before, LeaseTime clock) implements LockGuard {}

    /**
     * The lock is free, or the row is as it was seen a whole lease duration ago.
     *
     * @param leaseId the lease seen
     * @param renewals the number of its last renewal seen; null if the row had none
     * @param stamp the store's stamp of a row whose lease or renewal number is corrupt, compared instead of them; null
     *     for an ordinary row
     */
    record Unchanged(
            @Nullable String leaseId,
            @Nullable Long renewals,
            @Nullable Object stamp) implements LockGuard {

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
         * Returns the condition that a row is unchanged.
         *
         * @param row the row as it was seen
         * @return the condition that it has the same lease after the same renewal
         */
        public static Unchanged of(LockRow row) {
            return new Unchanged(row.leaseId(), row.renewals(), row.stamp());
        }

        /**
         * Returns whether a row is the one that was seen.
         *
         * @param row the row as it is now
         * @return true if it has the same lease after the same renewal
         */
        public boolean fits(LockRow row) {
            return equals(of(row));
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
    record HeldBy(String leaseId) implements LockGuard {

        @Override
        public String toString() {
            return "HeldBy[]";
        }
    }
}
