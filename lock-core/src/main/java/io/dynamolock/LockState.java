/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.List;
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
 * @param revoked whether the lease of the holder was revoked: it is not renewed any more, and ends at {@code expiresAt}
 * @param closed whether no fencing token is left, so that nobody can acquire the lock until an operator
 *     {@linkplain LockManager#forceFree(String) frees} it
 * @param defects the attributes of the row that are missing or invalid
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
        boolean kept,
        boolean revoked,
        boolean closed,
        List<String> defects) {

    /** Copies the collections. */
    public LockState {
        metadata = Map.copyOf(metadata);
        defects = List.copyOf(defects);
    }

    /**
     * Creates the state of a lock whose row is valid: free, or held by a lease that was neither released nor revoked.
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
        this(
                name,
                status,
                owner,
                leaseId,
                fencingToken,
                acquiredAt,
                expiresAt,
                metadata,
                lastHold,
                false,
                false,
                false,
                List.of());
    }

    /** Omits the lease id: it allows its reader to revoke or free the lock. */
    @Override
    public String toString() {
        return "LockState[name=%s, status=%s, owner=%s, fencingToken=%s, acquiredAt=%s, expiresAt=%s, metadata=%s, lastHold=%s, kept=%s, revoked=%s, closed=%s, defects=%s]"
                .formatted(
                        name,
                        status,
                        owner,
                        fencingToken,
                        acquiredAt,
                        expiresAt,
                        metadata,
                        lastHold,
                        kept,
                        revoked,
                        closed,
                        defects);
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
        boolean free = row.isFree();
        return new LockState(
                name,
                status(row, takeable),
                free ? null : row.owner(),
                free ? null : row.leaseId(),
                row.issuedToken(),
                free ? null : row.acquiredAt(),
                free ? null : row.expiresAt(),
                free ? Map.of() : row.metadata(),
                row.lastHold(),
                row.isKept(),
                !free && row.revoked(),
                row.isClosed(),
                row.defects());
    }

    private static Status status(LockRow row, boolean takeable) {
        if (row.isFree()) {
            return Status.FREE;
        }
        return takeable && !row.isClosed() ? Status.EXPIRED : Status.HELD;
    }
}
