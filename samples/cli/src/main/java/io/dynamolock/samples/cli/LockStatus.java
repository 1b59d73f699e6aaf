/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockRow;
import io.dynamolock.LockState;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The status of a lock in one word. */
enum LockStatus {

    /** Nobody can acquire the lock, or its lease id is unreadable. Other defects do not change the status. */
    CORRUPT,
    FREE,
    EXPIRED,
    KEPT,
    REVOKED,
    HELD;

    /** Of a row; expired by the clock of this machine. */
    static LockStatus of(LockRow row) {
        Instant end = row.clock() == LeaseTime.OBSERVED ? null : row.expiresAt();
        return of(
                row.isClosed(),
                row.isFree(),
                end != null && end.isBefore(Instant.now()),
                row.isKept(),
                row.revoked(),
                row.defects());
    }

    static LockStatus of(LockState lock) {
        return of(
                lock.closed(),
                lock.status() == LockState.Status.FREE,
                lock.status() == LockState.Status.EXPIRED,
                lock.kept(),
                lock.revoked(),
                lock.defects());
    }

    private static LockStatus of(
            boolean closed, boolean free, boolean expired, boolean kept, boolean revoked, List<String> defects) {
        if (closed) {
            return CORRUPT;
        }
        if (free) {
            return FREE;
        }
        if (expired) {
            return EXPIRED;
        }
        if (defects.contains("leaseId")) {
            return CORRUPT;
        }
        if (kept) {
            return KEPT;
        }
        return revoked ? REVOKED : HELD;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
