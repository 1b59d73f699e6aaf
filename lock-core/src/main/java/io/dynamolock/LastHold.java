/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who held a lock last, until when, and with what result: for display. Written by the release, so a hold that ended
 * without one, by a crash or by force, leaves no trace. Kept until the next release, also while another lease holds the
 * lock.
 *
 * @param owner the readable identity of the holder; null if the row has none
 * @param endedAt when the holder released the lock, on its clock
 * @param failed whether the work was {@linkplain Lease#markFailed() marked as failed}, or its lease was lost before
 * @since 0.1
 */
public record LastHold(@Nullable String owner, Instant endedAt, boolean failed) {

    /** Escapes and shortens the owner for display. */
    public LastHold {
        owner = Texts.shownOrNull(owner);
    }
}
