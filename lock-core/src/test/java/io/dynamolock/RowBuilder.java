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

/** Builds rows for tests, with the defaults of an ordinary row. */
final class RowBuilder {

    private @Nullable String leaseId;
    private @Nullable String owner;
    private @Nullable Long token = 1000L;
    private @Nullable Long floor = 1000L;
    private @Nullable Duration lease;
    private @Nullable Instant expiresAt;
    private @Nullable LeaseTime clock;
    private @Nullable Long renewals;
    private boolean revoked;
    private @Nullable String lastLeaseId;
    private @Nullable Instant acquiredAt;
    private Map<String, String> metadata = Map.of();
    private List<String> defects = List.of();
    private boolean detached;
    private boolean laterFormat;
    private @Nullable Object stamp;

    private RowBuilder() {}

    static RowBuilder copyOf(LockRow row) {
        RowBuilder copy = new RowBuilder();
        copy.leaseId = row.leaseId();
        copy.owner = row.owner();
        copy.token = row.fencingToken();
        copy.floor = row.tokenFloor();
        copy.lease = row.leaseDuration();
        copy.expiresAt = row.expiresAt();
        copy.clock = row.clock();
        copy.renewals = row.renewals();
        copy.revoked = row.revoked();
        copy.lastLeaseId = row.lastLeaseId();
        copy.acquiredAt = row.acquiredAt();
        copy.metadata = row.metadata();
        copy.defects = row.defects();
        copy.detached = row.detached();
        copy.laterFormat = row.laterFormat();
        copy.stamp = row.stamp();
        return copy;
    }

    static RowBuilder heldBy(String leaseId) {
        RowBuilder row = new RowBuilder();
        row.leaseId = leaseId;
        row.owner = "owner of " + leaseId;
        row.lease = Duration.ofSeconds(30);
        row.expiresAt = Instant.ofEpochMilli(Times.START_MILLIS + 30_000);
        row.clock = LeaseTime.SYSTEM;
        row.renewals = 0L;
        row.acquiredAt = Instant.ofEpochMilli(Times.START_MILLIS);
        return row;
    }

    static RowBuilder free() {
        return new RowBuilder();
    }

    RowBuilder token(long used) {
        token = used;
        floor = used;
        return this;
    }

    RowBuilder floor(@Nullable Long used) {
        floor = used;
        return this;
    }

    RowBuilder lease(@Nullable Duration duration) {
        lease = duration;
        return this;
    }

    /** Milliseconds since the start of {@link Times}. */
    RowBuilder endsAt(long millis) {
        expiresAt = Instant.ofEpochMilli(Times.START_MILLIS + millis);
        return this;
    }

    RowBuilder withoutEnd() {
        expiresAt = null;
        return this;
    }

    RowBuilder clock(@Nullable LeaseTime time) {
        clock = time;
        return this;
    }

    RowBuilder renewals(@Nullable Long number) {
        renewals = number;
        return this;
    }

    RowBuilder revoked() {
        revoked = true;
        return this;
    }

    RowBuilder releasedBefore(String id) {
        lastLeaseId = id;
        return this;
    }

    RowBuilder tokens(@Nullable Long last, @Nullable Long floor) {
        this.token = last;
        this.floor = floor;
        return this;
    }

    RowBuilder lastLease(@Nullable String id) {
        lastLeaseId = id;
        return this;
    }

    RowBuilder detached() {
        detached = true;
        return this;
    }

    RowBuilder laterFormat() {
        laterFormat = true;
        return this;
    }

    RowBuilder damaged(String attribute, @Nullable Object stamp) {
        defects = List.of(attribute);
        this.stamp = stamp;
        return this;
    }

    LockRow build() {
        return new LockRow(
                leaseId,
                owner,
                token,
                floor,
                lease,
                expiresAt,
                clock,
                renewals,
                acquiredAt,
                metadata,
                revoked,
                lastLeaseId,
                defects,
                detached,
                laterFormat,
                stamp);
    }
}
