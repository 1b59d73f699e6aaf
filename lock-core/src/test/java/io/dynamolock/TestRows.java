/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/** Ordinary rows to begin with. */
final class TestRows {

    private TestRows() {}

    static LockRowBuilder heldBy(String leaseId) {
        return heldBy(leaseId, 1_000);
    }

    static LockRowBuilder heldBy(String leaseId, long token) {
        return free(token)
                .leaseId(leaseId)
                .owner("owner of " + leaseId)
                .leaseDuration(Duration.ofSeconds(30))
                .expiresAt(Times.instant(30_000))
                .clock(LeaseTime.SYSTEM)
                .renewals(0L)
                .acquiredAt(Times.instant(0));
    }

    static LockRowBuilder free() {
        return free(1_000);
    }

    static LockRowBuilder free(long token) {
        return LockRow.builder().fencingToken(token).tokenFloor(token);
    }
}
