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
 * Builds a {@link LockRow}. An attribute that is not set is absent.
 *
 * <p>Not thread-safe.
 *
 * @since 0.1
 */
public final class LockRowBuilder {

    private @Nullable String leaseId;
    private @Nullable String owner;
    private @Nullable Long fencingToken;
    private @Nullable Long tokenFloor;
    private @Nullable Duration leaseDuration;
    private @Nullable Instant expiresAt;
    private @Nullable LeaseTime clock;
    private @Nullable Long renewals;
    private @Nullable Instant acquiredAt;
    private Map<String, String> metadata = Map.of();
    private boolean revoked;
    private @Nullable String lastLeaseId;
    private @Nullable LastHold lastHold;
    private List<String> defects = List.of();
    private boolean detached;
    private @Nullable TurnClaim claim;
    private boolean laterFormat;
    private @Nullable Object stamp;

    LockRowBuilder() {}

    LockRowBuilder(LockRow row) {
        leaseId = row.leaseId();
        owner = row.owner();
        fencingToken = row.fencingToken();
        tokenFloor = row.tokenFloor();
        leaseDuration = row.leaseDuration();
        expiresAt = row.expiresAt();
        clock = row.clock();
        renewals = row.renewals();
        acquiredAt = row.acquiredAt();
        metadata = row.metadata();
        revoked = row.revoked();
        lastLeaseId = row.lastLeaseId();
        lastHold = row.lastHold();
        defects = row.defects();
        detached = row.detached();
        claim = row.claim();
        laterFormat = row.laterFormat();
        stamp = row.stamp();
    }

    /**
     * Sets the lease id.
     *
     * @param leaseId the lease that holds the lock; null if the lock is free
     * @return this builder
     */
    public LockRowBuilder leaseId(@Nullable String leaseId) {
        this.leaseId = leaseId;
        return this;
    }

    /**
     * Sets the owner.
     *
     * @param owner the readable identity of the holder
     * @return this builder
     */
    public LockRowBuilder owner(@Nullable String owner) {
        this.owner = owner;
        return this;
    }

    /**
     * Sets the fencing token.
     *
     * @param fencingToken the token of the last acquisition
     * @return this builder
     */
    public LockRowBuilder fencingToken(@Nullable Long fencingToken) {
        this.fencingToken = fencingToken;
        return this;
    }

    /**
     * Sets the token floor.
     *
     * @param tokenFloor the highest consumed token: no acquisition with this token or a lower one succeeds
     * @return this builder
     */
    public LockRowBuilder tokenFloor(@Nullable Long tokenFloor) {
        this.tokenFloor = tokenFloor;
        return this;
    }

    /**
     * Sets the lease duration.
     *
     * @param leaseDuration how long another process must observe the row unchanged before it can take over without a
     *     common clock
     * @return this builder
     */
    public LockRowBuilder leaseDuration(@Nullable Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
        return this;
    }

    /**
     * Sets the end.
     *
     * @param expiresAt the end of the lease, by {@code clock}
     * @return this builder
     */
    public LockRowBuilder expiresAt(@Nullable Instant expiresAt) {
        this.expiresAt = expiresAt;
        return this;
    }

    /**
     * Sets the time source of the end.
     *
     * @param clock the time source of {@code expiresAt}
     * @return this builder
     */
    public LockRowBuilder clock(@Nullable LeaseTime clock) {
        this.clock = clock;
        return this;
    }

    /**
     * Sets the renewal number.
     *
     * @param renewals the number of the last renewal
     * @return this builder
     */
    public LockRowBuilder renewals(@Nullable Long renewals) {
        this.renewals = renewals;
        return this;
    }

    /**
     * Sets the time of the acquisition.
     *
     * @param acquiredAt when the lock was acquired, by the time source of its lease
     * @return this builder
     */
    public LockRowBuilder acquiredAt(@Nullable Instant acquiredAt) {
        this.acquiredAt = acquiredAt;
        return this;
    }

    /**
     * Sets the metadata.
     *
     * @param metadata the texts that the holder stored with the lease
     * @return this builder
     */
    public LockRowBuilder metadata(Map<String, String> metadata) {
        this.metadata = metadata;
        return this;
    }

    /**
     * Sets the mark of a revoked lease.
     *
     * @param revoked whether the lease was revoked
     * @return this builder
     */
    public LockRowBuilder revoked(boolean revoked) {
        this.revoked = revoked;
        return this;
    }

    /**
     * Sets the lease id of the last release.
     *
     * @param lastLeaseId the lease that was released last
     * @return this builder
     */
    public LockRowBuilder lastLeaseId(@Nullable String lastLeaseId) {
        this.lastLeaseId = lastLeaseId;
        return this;
    }

    /**
     * Sets the last hold.
     *
     * @param lastHold the last hold that ended by a release of its holder; null if there is none
     * @return this builder
     */
    public LockRowBuilder lastHold(@Nullable LastHold lastHold) {
        this.lastHold = lastHold;
        return this;
    }

    /**
     * Sets the defects.
     *
     * @param defects the names of attributes that this library did not write in this form, or that a row with a
     *     holder should have and lacks
     * @return this builder
     */
    public LockRowBuilder defects(List<String> defects) {
        this.defects = defects;
        return this;
    }

    /**
     * Sets the mark of a detached lease.
     *
     * @param detached whether the lease was detached and not resumed yet
     * @return this builder
     */
    public LockRowBuilder detached(boolean detached) {
        this.detached = detached;
        return this;
    }

    /**
     * Sets the claim.
     *
     * @param claim the claim of a process that waits for the lock; null if there is none
     * @return this builder
     */
    public LockRowBuilder claim(@Nullable TurnClaim claim) {
        this.claim = claim;
        return this;
    }

    /**
     * Sets the mark of a later format.
     *
     * @param laterFormat whether a later version of this library wrote the row: the lock then counts as held,
     *     whatever else the row contains
     * @return this builder
     */
    public LockRowBuilder laterFormat(boolean laterFormat) {
        this.laterFormat = laterFormat;
        return this;
    }

    /**
     * Sets the stamp.
     *
     * @param stamp identifies this exact row for the store where {@code leaseId} and {@code renewals} cannot; null if
     *     they can, or if nothing can
     * @return this builder
     */
    public LockRowBuilder stamp(@Nullable Object stamp) {
        this.stamp = stamp;
        return this;
    }

    /**
     * Builds the row.
     *
     * @return the row
     */
    public LockRow build() {
        return new LockRow(
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
                lastHold,
                defects,
                detached,
                claim,
                laterFormat,
                stamp);
    }
}
