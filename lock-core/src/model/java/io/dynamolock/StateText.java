/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Formats writes and rows for traces, in ticks since the start. */
final class StateText {

    private StateText() {}

    static String of(Acquire write) {
        return "acquire of %s until %s with token %s, if it is %s"
                .formatted(write.leaseId(), tick(write.expiresAt()), token(write.token()), of(write.onlyIf()));
    }

    private static String of(LockGuard guard) {
        if (guard instanceof FreeOrExpired expired) {
            return "free or was to end before " + tick(expired.before());
        }
        if (guard instanceof Unchanged unchanged) {
            return "free or still %s after renewal %d".formatted(unchanged.leaseId(), unchanged.renewals());
        }
        return guard instanceof HeldBy old ? "held by " + old.leaseId() : "free";
    }

    static String of(Renew write) {
        return "renewal %d of %s until %s".formatted(write.number(), write.leaseId(), tick(write.expiresAt()));
    }

    static String of(Release write) {
        String rest = write.rest() == null ? "" : " at " + tick(write.rest().expiresAt());
        return "release of %s%s".formatted(write.leaseId(), rest);
    }

    static String of(@Nullable LockRow row) {
        if (row == null) {
            return "there is no row";
        }
        if (row.laterFormat()) {
            return "the row is of a later version";
        }
        String floor = token(row.tokenFloor());
        return row.leaseId() == null
                ? "the row is free, floor %s".formatted(floor)
                : "the row has %s until %s%s, renewal %d, floor %s"
                        .formatted(
                                row.leaseId(),
                                row.expiresAt() == null ? "?" : tick(row.expiresAt()),
                                row.revoked() ? " (revoked)" : "",
                                row.renewals(),
                                floor);
    }

    private static long tick(Instant instant) {
        return ModelClocks.tickOfMillis(instant.toEpochMilli());
    }

    private static String token(@Nullable Long token) {
        long start = FencingTokens.at(ModelClocks.millis(0));
        return token == null ? "none" : token < start - 10_000 ? "low" : "%+d".formatted(token - start);
    }
}
