/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes of a process that knows the store's time only if its leases are on it. */
public final class Writes {

    private Writes() {}

    public static Acquire acquire(
            String name,
            String leaseId,
            String owner,
            long token,
            Duration leaseDuration,
            Instant acquiredAt,
            Instant expiresAt,
            LeaseTime clock,
            Map<String, String> metadata,
            LockGuard onlyIf) {
        return new Acquire(
                name,
                leaseId,
                owner,
                token,
                leaseDuration,
                acquiredAt,
                expiresAt,
                clock,
                metadata,
                onlyIf,
                storeEnd(expiresAt, clock),
                LockWrite.NO_CLAIM);
    }

    public static Renew renew(
            String name, String leaseId, long number, Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
        return new Renew(name, leaseId, number, leaseDuration, expiresAt, clock, storeEnd(expiresAt, clock), false);
    }

    public static Rest rest(Duration leaseDuration, Instant expiresAt, LeaseTime clock) {
        return new Rest(leaseDuration, expiresAt, clock, storeEnd(expiresAt, clock), Rest.FIRST);
    }

    private static @Nullable Instant storeEnd(Instant expiresAt, LeaseTime clock) {
        return clock == LeaseTime.SERVER ? expiresAt : null;
    }
}
