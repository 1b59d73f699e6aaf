/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/**
 * How much longer a row says that a lease lasts than its holder believes, so that what a dead holder had sent can land.
 *
 * @param time zero if a rival need not wait longer
 */
record LockDelay(Duration time) {

    /** The duration in the row: what a rival waits. */
    Duration inRow(Duration lease) {
        return lease.plus(time);
    }

    /** The end in the row: the late edge of what the holder believes, and the grace. */
    Instant inRow(LeaseExpiry end) {
        return Instant.ofEpochMilli(end.commonMillis() + time.toMillis());
    }

    /** What the holder may believe by an end that a row tells. */
    long believed(long rowMillis) {
        return rowMillis - time.toMillis();
    }
}
