/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import io.dynamolock.LockState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lock as an operator sees it.
 *
 * @param name the lock
 * @param state {@code HELD} or {@code AT_RISK} of one held here; {@code FREE}, {@code HELD} or {@code EXPIRED} of any other
 * @param owner who has it
 * @param fencingToken the highest token given out so far
 * @param acquiredAt since when it is held
 * @param age for how long
 * @param expiresAt until when, unless it is renewed
 * @param metadata what the holder wrote beside it
 * @param leaseId what releases it; null unless that is allowed
 * @since 0.1
 */
public record LockDescriptor(
        String name,
        String state,
        @Nullable String owner,
        long fencingToken,
        @Nullable Instant acquiredAt,
        @Nullable Duration age,
        @Nullable Instant expiresAt,
        Map<String, String> metadata,
        @Nullable String leaseId) {

    static LockDescriptor of(LockState lock, String state, Instant now, boolean withLeaseId) {
        Instant since = lock.acquiredAt();
        return new LockDescriptor(
                lock.name(),
                state,
                lock.owner(),
                lock.fencingToken(),
                since,
                since == null ? null : age(since, now),
                lock.expiresAt(),
                lock.metadata(),
                withLeaseId ? lock.leaseId() : null);
    }

    /** Without the lease id, which gives its reader power over the lock. */
    @Override
    public String toString() {
        return "LockDescriptor[name=%s, state=%s, owner=%s, fencingToken=%d, acquiredAt=%s, age=%s, expiresAt=%s, metadata=%s]"
                .formatted(name, state, owner, fencingToken, acquiredAt, age, expiresAt, metadata);
    }

    private static Duration age(Instant since, Instant now) {
        return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
    }
}
