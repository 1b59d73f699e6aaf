/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.endpoint;

import io.dynamolock.LastHold;
import io.dynamolock.LockState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * State of a lock for operators.
 *
 * @param name the lock
 * @param state {@code HELD} or {@code AT_RISK} of a lock that this process holds; {@code FREE}, {@code HELD} or
 *     {@code EXPIRED} of any other lock
 * @param owner the owner of the lease
 * @param fencingToken the highest token issued so far
 * @param acquiredAt the time of the acquisition
 * @param age the time since the acquisition
 * @param expiresAt the time at which the lease expires unless it is renewed
 * @param kept whether the holder has released the lock, and it stays taken without one until {@code expiresAt}
 * @param revoked whether the lease was revoked, and ends at {@code expiresAt}; false for locks listed from memory
 * @param closed whether nobody can acquire the lock until an operator frees it, as no fencing token is left; false for
 *     locks listed from memory
 * @param defects the attributes of the row that are missing or invalid; empty for locks listed from memory
 * @param metadata the metadata of the lease
 * @param lastHold who released the lock last, when, and whether the work had failed; null if the row has none, and for
 *     locks listed from memory
 * @param leaseId the lease id, with which the lock can be released; null unless releases are permitted
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
        boolean kept,
        boolean revoked,
        boolean closed,
        List<String> defects,
        Map<String, String> metadata,
        @Nullable LastHold lastHold,
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
                lock.kept(),
                lock.revoked(),
                lock.closed(),
                lock.defects(),
                lock.metadata(),
                lock.lastHold(),
                withLeaseId ? lock.leaseId() : null);
    }

    /** Omits the lease id, which permits its reader to release the lock. */
    @Override
    public String toString() {
        return "LockDescriptor[name=%s, state=%s, owner=%s, fencingToken=%s, acquiredAt=%s, age=%s, expiresAt=%s, kept=%s, revoked=%s, closed=%s, defects=%s, metadata=%s, lastHold=%s]"
                .formatted(
                        name,
                        state,
                        owner,
                        fencingToken,
                        acquiredAt,
                        age,
                        expiresAt,
                        kept,
                        revoked,
                        closed,
                        defects,
                        metadata,
                        lastHold);
    }

    private static Duration age(Instant since, Instant now) {
        return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
    }
}
