/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one lock's row says, seen from this process.
 *
 * @param name the lock
 * @param status whether somebody has it
 * @param owner the holder's readable identity; null if free
 * @param leaseId the holder's lease; null if free
 * @param fencingToken the highest token given out so far; 0 if none ever was
 * @param acquiredAt since when it is held, on the holder's clock; null if free
 * @param expiresAt when the lease ends unless it is renewed; null if free
 * @param metadata what the holder wrote beside it
 * @since 0.1
 */
public record LockState(
        String name,
        Status status,
        @Nullable String owner,
        @Nullable String leaseId,
        long fencingToken,
        @Nullable Instant acquiredAt,
        @Nullable Instant expiresAt,
        Map<String, String> metadata) {

    /** Copies the metadata. */
    public LockState {
        metadata = Map.copyOf(metadata);
    }

    /** Without the lease id, which would give its reader power over the lock. */
    @Override
    public String toString() {
        return "LockState[name=%s, status=%s, owner=%s, fencingToken=%d, acquiredAt=%s, expiresAt=%s, metadata=%s]"
                .formatted(name, status, owner, fencingToken, acquiredAt, expiresAt, metadata);
    }

    /** Whether a rival here could have the lock. */
    public enum Status {
        /** Nobody holds it. */
        FREE,
        /** Somebody holds it, as far as can be told from here. */
        HELD,
        /** Its holder is late: a rival here could take it now. */
        EXPIRED
    }

    static LockState of(String name, @Nullable LockRow row, boolean takeable) {
        if (row == null) {
            return new LockState(name, Status.FREE, null, null, 0, null, null, Map.of());
        }
        if (row.isFree()) {
            return new LockState(name, Status.FREE, null, null, row.highestToken(), null, null, Map.of());
        }
        return new LockState(
                name,
                takeable && !row.isClosed() ? Status.EXPIRED : Status.HELD,
                row.owner(),
                row.leaseId(),
                row.highestToken(),
                row.acquiredAt(),
                row.expiresAt(),
                row.metadata());
    }
}
