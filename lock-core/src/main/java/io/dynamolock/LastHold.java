/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who held a lock last, until when, for how long, and with what result: for display, and for waiters, which expect the
 * next hold to take as long. Written by the release, so a hold that ended without one, by a crash or by force, leaves
 * no trace. Kept until the next release, also while another lease holds the lock.
 *
 * @param owner the readable identity of the holder; null if the row has none
 * @param endedAt when the holder released the lock, by the time source of its lease ({@link LeaseTime}) and within the
 *     uncertainty of that time
 * @param duration from the acquisition, or from the resumption of a detached lease, to the release, in whole
 *     milliseconds, by the holder's monotonic clock; null if the row has none
 * @param failed whether the work was {@linkplain Lease#markFailed() marked as failed}, or its lease was lost before
 * @since 0.1
 */
public record LastHold(
        @Nullable String owner, Instant endedAt, @Nullable Duration duration, boolean failed) {

    /** Escapes and shortens the owner for display. */
    public LastHold {
        owner = Texts.shownOrNull(owner);
    }
}
