/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds rows for tests, with the defaults of an ordinary row. */
final class RowBuilder {

    private final LockRowBuilder row;

    private RowBuilder(LockRowBuilder row) {
        this.row = row;
    }

    static RowBuilder copyOf(LockRow row) {
        return new RowBuilder(row.toBuilder());
    }

    static RowBuilder heldBy(String leaseId) {
        RowBuilder held = free();
        held.row
                .leaseId(leaseId)
                .owner("owner of " + leaseId)
                .leaseDuration(Duration.ofSeconds(30))
                .clock(LeaseTime.SYSTEM)
                .renewals(0L)
                .acquiredAt(Instant.ofEpochMilli(Times.START_MILLIS));
        return held.endsAt(30_000);
    }

    static RowBuilder free() {
        return new RowBuilder(LockRow.builder()).token(1000);
    }

    RowBuilder token(long used) {
        return tokens(used, used);
    }

    RowBuilder tokens(@Nullable Long last, @Nullable Long floor) {
        row.fencingToken(last).tokenFloor(floor);
        return this;
    }

    RowBuilder floor(@Nullable Long used) {
        row.tokenFloor(used);
        return this;
    }

    RowBuilder lease(@Nullable Duration duration) {
        row.leaseDuration(duration);
        return this;
    }

    /** Milliseconds since the start of {@link Times}. */
    RowBuilder endsAt(long millis) {
        row.expiresAt(Instant.ofEpochMilli(Times.START_MILLIS + millis));
        return this;
    }

    RowBuilder withoutEnd() {
        row.expiresAt(null);
        return this;
    }

    RowBuilder clock(@Nullable LeaseTime time) {
        row.clock(time);
        return this;
    }

    RowBuilder renewals(@Nullable Long number) {
        row.renewals(number);
        return this;
    }

    RowBuilder revoked() {
        row.revoked(true);
        return this;
    }

    RowBuilder lastLease(@Nullable String id) {
        row.lastLeaseId(id);
        return this;
    }

    RowBuilder detached() {
        row.detached(true);
        return this;
    }

    RowBuilder laterFormat() {
        row.laterFormat(true);
        return this;
    }

    RowBuilder damaged(String attribute, @Nullable Object stamp) {
        row.defects(List.of(attribute)).stamp(stamp);
        return this;
    }

    LockRow build() {
        return row.build();
    }
}
