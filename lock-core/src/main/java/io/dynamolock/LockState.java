/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock, from its row, as seen by this process.
 *
 * @param name the lock name
 * @param status whether the lock is held
 * @param owner the readable identity of the holder; null if free
 * @param leaseId the lease of the holder; null if free
 * @param fencingToken the highest token issued so far; 0 if none was
 * @param acquiredAt when the lock was acquired, by the time source of its lease ({@link LeaseTime}) and within the
 *     uncertainty of that time; null if free
 * @param expiresAt when the lease expires unless it is renewed; null if free
 * @param metadata the texts that the holder stored with the lease
 * @param lastHold the last hold that its holder released; null if the row has none, or if the state was not read from
 *     the row just now
 * @param kept whether the holder has released the lock, which stays taken until {@code expiresAt} nonetheless: by
 *     {@link Lease#release(java.time.Duration)} or a minimum hold
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
        Map<String, String> metadata,
        @Nullable LastHold lastHold,
        boolean kept) {

    /** Copies the metadata. */
    public LockState {
        metadata = Map.copyOf(metadata);
    }

    /**
     * Creates the state of a lock that is free, or held by a lease that was not released.
     *
     * @param name the lock name
     * @param status whether the lock is held
     * @param owner the readable identity of the holder; null if free
     * @param leaseId the lease of the holder; null if free
     * @param fencingToken the highest token issued so far; 0 if none was
     * @param acquiredAt when the lock was acquired, by the time source of its lease; null if free
     * @param expiresAt when the lease expires unless it is renewed; null if free
     * @param metadata the texts that the holder stored with the lease
     * @param lastHold the last hold that its holder released; null if there is none
     */
    public LockState(
            String name,
            Status status,
            @Nullable String owner,
            @Nullable String leaseId,
            long fencingToken,
            @Nullable Instant acquiredAt,
            @Nullable Instant expiresAt,
            Map<String, String> metadata,
            @Nullable LastHold lastHold) {
        this(name, status, owner, leaseId, fencingToken, acquiredAt, expiresAt, metadata, lastHold, false);
    }

    /** Omits the lease id: it allows its reader to revoke or free the lock. */
    @Override
    public String toString() {
        return "LockState[name=%s, status=%s, owner=%s, fencingToken=%d, acquiredAt=%s, expiresAt=%s, metadata=%s, lastHold=%s, kept=%s]"
                .formatted(name, status, owner, fencingToken, acquiredAt, expiresAt, metadata, lastHold, kept);
    }

    /** Availability of the lock, as seen by this process. */
    public enum Status {
        /** No lease holds the lock. */
        FREE,
        /** A lease holds the lock, as far as this process can know. */
        HELD,
        /** The lease has expired: a process here could take the lock over now. */
        EXPIRED
    }

    static LockState of(String name, @Nullable LockRow row, boolean takeable) {
        if (row == null) {
            return new LockState(name, Status.FREE, null, null, 0, null, null, Map.of(), null);
        }
        if (row.isFree()) {
            return new LockState(
                    name, Status.FREE, null, null, row.highestToken(), null, null, Map.of(), row.lastHold());
        }
        return new LockState(
                name,
                takeable && !row.isClosed() ? Status.EXPIRED : Status.HELD,
                row.owner(),
                row.leaseId(),
                row.highestToken(),
                row.acquiredAt(),
                row.expiresAt(),
                row.metadata(),
                row.lastHold(),
                row.isKept());
    }
}
