/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockWrite.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The row of one lock as returned by a store. Attributes that are absent, or that this library did not write in this
 * form, are null. Small, whatever the row contains, because rows are remembered: texts are shortened, and escaped for
 * display.
 *
 * @param leaseId the lease that holds the lock; null if the lock is free
 * @param owner the readable identity of the holder
 * @param fencingToken the token of the last acquisition
 * @param tokenFloor the highest consumed token: no acquisition with this token or a lower one succeeds
 * @param leaseDuration how long another process must observe the row unchanged before it can take over without a common
 *     clock
 * @param expiresAt the end of the lease, by {@code clock}
 * @param clock the time source of {@code expiresAt}
 * @param renewals the number of the last renewal
 * @param acquiredAt when the lock was acquired, by {@code clock}, within the uncertainty of that time
 * @param metadata the texts that the holder stored with the lease
 * @param revoked whether the lease was revoked
 * @param lastLeaseId the lease that was released last
 * @param lastHold the last hold that ended by a release of its holder; null in rows of versions that did not write it
 * @param defects the names of attributes that this library did not write in this form, or that a row with a holder
 *     should have and lacks
 * @param detached whether the lease was detached and not resumed yet
 * @param claim the claim of a process that waits for the lock; null if there is none
 * @param laterFormat whether a later version of this library wrote the row: the lock then counts as held, whatever else
 *     the row contains
 * @param stamp identifies this exact row for the store where {@code leaseId} and {@code renewals} cannot, see
 *     {@link Unchanged}; null if they can, or if nothing can
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
        @Nullable LastHold lastHold,
        List<String> defects,
        boolean detached,
        @Nullable TurnClaim claim,
        boolean laterFormat,
        @Nullable Object stamp) {

    /** The highest fencing token, as a higher one would not be exact in JSON. A floor this high leaves no token. */
    public static final long HIGHEST_TOKEN = (1L << 53) - 1;

    static final LockRow ABSENT = builder().build();

    /** Copies the collections; escapes and shortens the texts for display. */
    public LockRow {
        owner = Texts.shownOrNull(owner);
        metadata = Map.copyOf(Texts.shown(metadata));
        defects = List.copyOf(defects);
    }

    /**
     * Returns a builder of a row of this format, without any attribute.
     *
     * @return a builder
     */
    public static LockRowBuilder builder() {
        return new LockRowBuilder();
    }

    /**
     * Returns a builder of the row that an acquisition leaves.
     *
     * @param write an applied write
     * @return a builder, without what is kept of the row before
     */
    public static LockRowBuilder acquiredBy(LockWrite.Acquire write) {
        return builder()
                .leaseId(write.leaseId())
                .owner(write.owner())
                .fencingToken(write.token())
                .tokenFloor(write.token())
                .leaseDuration(write.leaseDuration())
                .expiresAt(write.expiresAt())
                .clock(write.clock())
                .renewals(0L)
                .acquiredAt(write.acquiredAt())
                .metadata(write.metadata());
    }

    /**
     * Returns a builder of a row like this one.
     *
     * @return a builder with the attributes of this row
     */
    public LockRowBuilder toBuilder() {
        return new LockRowBuilder(this);
    }

    /**
     * Returns whether the lock is free.
     *
     * @return true if no lease is in the row
     */
    public boolean isFree() {
        return leaseId == null && !defects.contains("leaseId") && !laterFormat;
    }

    /**
     * Returns whether a lease holds the lock.
     *
     * @param id a lease id
     * @return true if it is the lease in the row
     */
    public boolean isHeldBy(String id) {
        return id.equals(leaseId) && !laterFormat;
    }

    /**
     * Returns the highest consumed token: the floor, which is at or above the token of the last acquisition.
     *
     * @return 0 if none is
     */
    public long highestToken() {
        if (tokenFloor != null) {
            return tokenFloor;
        }
        return fencingToken == null ? 0 : fencingToken;
    }

    /**
     * Returns whether the holder has released the lock, but keeps it unavailable until {@code expiresAt}.
     *
     * @return true until {@code expiresAt}, and after it until the lock is acquired again
     */
    public boolean isKept() {
        return leaseId != null && renewals != null && renewals >= Rest.FIRST && renewals <= Rest.LAST;
    }

    /**
     * Returns the highest fencing token that was issued for the lock. The floor that closes a row is none.
     *
     * @return 0 if none is known
     */
    public long issuedToken() {
        if (!isClosed()) {
            return highestToken();
        }
        return fencingToken == null ? 0 : fencingToken;
    }

    /**
     * Returns whether no acquisition can succeed any more, because no allowed token is above the floor.
     *
     * @return true until an operator frees the lock
     */
    public boolean isClosed() {
        return tokenFloor != null && leavesNoToken();
    }

    /** Whether no allowed token is above all consumed ones. Without a floor, acquisitions succeed nonetheless. */
    boolean leavesNoToken() {
        return highestToken() >= HIGHEST_TOKEN;
    }

    /**
     * Whether the store can distinguish this row from any other, so that it can be taken over after it was observed
     * unchanged.
     */
    boolean isRecognizable() {
        boolean numbered = renewals != null || !defects.contains("renewals");
        return !laterFormat && (stamp != null || (leaseId != null && numbered));
    }

    /** Whether both rows show the same lease after the same renewal. */
    boolean isSameLease(LockRow other) {
        return isRecognizable() && Unchanged.of(this).fits(other);
    }

    /** Whether both rows show the lock free since the same release, with the same claim. */
    boolean isSameTurn(LockRow other) {
        return isFree()
                && other.isFree()
                && Objects.equals(lastLeaseId, other.lastLeaseId)
                && Objects.equals(claim, other.claim);
    }

    /** Whether another row of the same name was written later than this one, as far as the rows show it. */
    boolean isOlderThan(LockRow other) {
        if (highestToken() == 0 && isFree()) {
            return false; // possibly deleted: it does not show its age
        }
        if (leavesNoToken() != other.leavesNoToken()) {
            return false; // lowered by an operator: the floor does not show the order
        }
        if (highestToken() != other.highestToken()) {
            return highestToken() < other.highestToken();
        }
        boolean sameLease = leaseId != null && leaseId.equals(other.leaseId);
        boolean releasedThere = other.isFree() && leaseId != null;
        return releasedThere || (sameLease && renewals != null && other.renewals != null && renewals < other.renewals);
    }

    /** The part of the row that is remembered as a row: everything but what is only displayed. */
    LockRow withoutDetails() {
        TurnClaim reserving = claim != null && claim.isValid() ? claim : null;
        LastHold released = reserving == null ? null : lastHold;
        boolean complete = metadata.isEmpty() && Objects.equals(lastHold, released) && Objects.equals(claim, reserving);
        return complete
                ? this
                : toBuilder()
                        .metadata(Map.of())
                        .lastHold(released)
                        .claim(reserving)
                        .build();
    }

    /** Omits the lease ids: a lease id allows its reader to revoke or free the lock. */
    @Override
    public String toString() {
        return "LockRow[%s, owner=%s, tokenFloor=%s, expiresAt=%s, renewals=%s, defects=%s]"
                .formatted(isFree() ? "free" : "held", owner, tokenFloor, expiresAt, renewals, defects);
    }
}
