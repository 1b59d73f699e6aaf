/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/**
 * The lock delay: how much later a lease ends in its row than for its holder, so that writes a crashed holder had sent
 * can still arrive.
 *
 * @param delay zero if other processes need not wait longer
 */
record LockDelay(Duration delay) {

    /** Returns the duration in the row: how long other processes wait. */
    Duration inRow(Duration leaseDuration) {
        return leaseDuration.plus(delay);
    }

    /** Returns the end in the row: the upper bound of the holder's end, plus the lock delay. */
    Instant inRow(LeaseExpiry end) {
        return Instant.ofEpochMilli(end.commonMillis() + delay.toMillis());
    }

    /** Returns the holder's end for an end in a row. */
    long holderEndMillis(long rowMillis) {
        return rowMillis - delay.toMillis();
    }
}
