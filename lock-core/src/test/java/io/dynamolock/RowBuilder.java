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

/** Rows for tests: what a test does not say is as in an ordinary row. */
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

    private RowBuilder() {}

    static RowBuilder heldBy(String leaseId) {
        RowBuilder row = new RowBuilder();
        row.leaseId = leaseId;
        row.owner = "owner of " + leaseId;
        row.lease = Duration.ofSeconds(30);
        row.expiresAt = Instant.ofEpochMilli(Moments.START_MILLIS + 30_000);
        row.clock = LeaseTime.SYSTEM;
        row.renewals = 0L;
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

    /** Milliseconds since the start of {@link Moments}. */
    RowBuilder endsAt(long millis) {
        expiresAt = Instant.ofEpochMilli(Moments.START_MILLIS + millis);
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
                leaseId == null ? null : Instant.ofEpochMilli(Moments.START_MILLIS),
                Map.of(),
                revoked,
                lastLeaseId,
                List.of());
    }
}
