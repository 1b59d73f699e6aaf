/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One lock's row as a store gave it. What is absent from the row, or is not what this library writes, is null here. Small,
 * whatever the row holds, as rows are remembered: texts are shortened, and escaped to be shown.
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
 * @param defects names of attributes that are not what this library writes, or that a row with a holder should have and has not
 * @param detached whether the lease waits to be resumed by another process
 * @param laterFormat whether a later version of this library wrote it: then the lock is held, whatever else the row says
 * @param stamp by what the store recognises this very row where {@code leaseId} and {@code renewals} cannot tell, see {@link
 *     LockStore.Unchanged}; null if they can, or if nothing can
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
        List<String> defects,
        boolean detached,
        boolean laterFormat,
        @Nullable Object stamp) {

    static final LockRow ABSENT =
            new LockRow(null, null, null, null, null, null, null, null, null, Map.of(), false, null, List.of());

    /** Copies the collections; escapes and shortens what is only shown. */
    public LockRow {
        owner = Texts.shownOrNull(owner);
        metadata = Map.copyOf(Texts.shown(metadata));
        defects = List.copyOf(defects);
    }

    /**
     * Creates a row of this version that is not detached.
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
     * @param defects names of attributes that are not what this library writes
     */
    public LockRow(
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
        this(
                leaseId,
                owner,
                fencingToken,
                tokenFloor,
                leaseDuration,
                expiresAt,
                clock,
                renewals,
                acquiredAt,
                metadata,
                revoked,
                lastLeaseId,
                defects,
                false,
                false,
                null);
    }

    /**
     * Tells whether nobody holds the lock.
     *
     * @return true if there is no lease in the row
     */
    public boolean isFree() {
        return leaseId == null && !defects.contains("leaseId") && !laterFormat;
    }

    /**
     * Tells whether this lease is the one in the row.
     *
     * @param id a lease id
     * @return true if it holds the lock
     */
    public boolean isHeldBy(String id) {
        return id.equals(leaseId) && !laterFormat;
    }

    /**
     * Returns the highest token that is used up: the floor, which is at or above the token of the last acquisition.
     *
     * @return 0 if none is
     */
    public long highestToken() {
        if (tokenFloor != null) {
            return tokenFloor;
        }
        return fencingToken == null ? 0 : fencingToken;
    }

    /** Whether no further acquisition can succeed, since no token that is allowed is above the floor. */
    boolean isClosed() {
        return tokenFloor != null && leavesNoToken();
    }

    /** Whether no token that is allowed is above all that are used up; without a floor, acquisitions succeed nonetheless. */
    boolean leavesNoToken() {
        return highestToken() >= FencingTokens.HIGHEST;
    }

    /** Whether the store can tell this row from any other, so that it may be taken over once it has stood still. */
    boolean isRecognisable() {
        boolean numbered = renewals != null || !defects.contains("renewals");
        return !laterFormat && (stamp != null || (leaseId != null && numbered));
    }

    /** Whether both show the same lease after the same renewal. */
    boolean isSameLease(LockRow other) {
        return isRecognisable()
                && Objects.equals(leaseId, other.leaseId)
                && Objects.equals(renewals, other.renewals)
                && Objects.equals(stamp, other.stamp);
    }

    /** Whether another row of the same name was written later than this one, as far as the rows can tell. */
    boolean isOlderThan(LockRow other) {
        if (highestToken() == 0 && isFree()) {
            return false; // deleted, perhaps: nothing in it tells
        }
        if (leavesNoToken() != other.leavesNoToken()) {
            return false; // an operator lowers the floor, which tells nothing of the order
        }
        if (highestToken() != other.highestToken()) {
            return highestToken() < other.highestToken();
        }
        boolean sameLease = leaseId != null && leaseId.equals(other.leaseId);
        boolean releasedThere = other.isFree() && leaseId != null;
        return releasedThere || (sameLease && renewals != null && other.renewals != null && renewals < other.renewals);
    }

    /** What is to be remembered of it: all but what is only shown. */
    LockRow withoutMetadata() {
        return metadata.isEmpty()
                ? this
                : new LockRow(
                        leaseId,
                        owner,
                        fencingToken,
                        tokenFloor,
                        leaseDuration,
                        expiresAt,
                        clock,
                        renewals,
                        acquiredAt,
                        Map.of(),
                        revoked,
                        lastLeaseId,
                        defects,
                        detached,
                        laterFormat,
                        stamp);
    }

    /** Without the lease ids, which would give their reader power over the lock. */
    @Override
    public String toString() {
        return "LockRow[%s, owner=%s, tokenFloor=%s, expiresAt=%s, renewals=%s, defects=%s]"
                .formatted(isFree() ? "free" : "held", owner, tokenFloor, expiresAt, renewals, defects);
    }
}
