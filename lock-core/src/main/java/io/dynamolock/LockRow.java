/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One lock's row as a store gave it. What is absent from the row, or is not of the right type there, is null here.
 *
 * @param leaseId the lease that holds the lock; null if it is free
 * @param owner the holder's readable identity
 * @param fencingToken the token of the last acquisition
 * @param tokenFloor the highest token that is used up: no acquisition with this one or a lower one succeeds
 * @param leaseDuration what somebody must wait who compares no clocks
 * @param expiresAt when the lease ends, in the time that {@code clock} names
 * @param clock the time that {@code expiresAt} is told in
 * @param renewals the number of the last renewal
 * @param acquiredAt when it was acquired, on the holder's clock
 * @param metadata what the holder wrote beside it
 * @param revoked whether its future was taken away
 * @param lastLeaseId the lease that was released last
 * @param defects names of attributes that are not of the right type, or that a row with a holder should have and has not
 * @since 0.1
 */
public record LockRow(
        @Nullable String leaseId,
        @Nullable String owner,
        @Nullable Long fencingToken,
        @Nullable Long tokenFloor,
        @Nullable Duration leaseDuration,
        @Nullable Instant expiresAt,
        @Nullable LeaseTime clock,
        @Nullable Long renewals,
        @Nullable Instant acquiredAt,
        Map<String, String> metadata,
        boolean revoked,
        @Nullable String lastLeaseId,
        List<String> defects) {

    static final LockRow ABSENT =
            new LockRow(null, null, null, null, null, null, null, null, null, Map.of(), false, null, List.of());

    /** Copies the collections. */
    public LockRow {
        metadata = Map.copyOf(metadata);
        defects = List.copyOf(defects);
    }

    /**
     * Tells whether nobody holds the lock.
     *
     * @return true if there is no lease in the row
     */
    public boolean isFree() {
        return leaseId == null && !defects.contains("leaseId");
    }

    /**
     * Tells whether this lease is the one in the row.
     *
     * @param id a lease id
     * @return true if it holds the lock
     */
    public boolean isHeldBy(String id) {
        return id.equals(leaseId);
    }

    /**
     * Returns the highest token that is used up.
     *
     * @return 0 if none is
     */
    public long highestToken() {
        return Math.max(fencingToken == null ? 0 : fencingToken, tokenFloor == null ? 0 : tokenFloor);
    }

    /** Whether another row of the same name was written later than this one, as far as the rows can tell. */
    boolean isOlderThan(LockRow other) {
        if (highestToken() == 0 && isFree()) {
            return false; // deleted, perhaps: nothing in it tells
        }
        if (highestToken() != other.highestToken()) {
            return highestToken() < other.highestToken();
        }
        boolean sameLease = leaseId != null && leaseId.equals(other.leaseId);
        boolean releasedThere = other.isFree() && leaseId != null;
        return releasedThere || (sameLease && renewals != null && other.renewals != null && renewals < other.renewals);
    }
}
