/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Optional;

/**
 * Reads locks, and releases locks of any process. Implemented by {@link LockManager}.
 *
 * @since 0.1
 */
public interface LockAdministration {

    /**
     * Reads the row of one lock. Writes nothing.
     *
     * @param name the lock name
     * @return the holder, since when it holds the lock, and until when
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed
     */
    LockState inspect(String name);

    /**
     * Revokes a lease: its next renewal is rejected, and the lock becomes free when the lease expires. Safe at any
     * time. A lock that is {@linkplain LockState#kept() kept} after its release has no lease to be renewed: it stays
     * taken for as long as before, which only {@link #keep} changes.
     *
     * @param name the lock name
     * @param leaseId the lease id, as {@link #inspect(String)} returns it
     * @return false if that lease no longer holds the lock
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed
     */
    boolean revoke(String name, String leaseId);

    /**
     * Frees a lock immediately, although its holder may still be working. Only for operators who know that the holder
     * is gone. Logged at WARN.
     *
     * @param name the lock name
     * @param leaseId the lease id, as {@link #inspect(String)} returns it
     * @return false if that lease no longer holds the lock
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed
     */
    boolean forceRelease(String name, String leaseId);

    /**
     * Frees a lock immediately, whatever its row contains, including a lock that cannot be acquired any more because
     * its row is corrupt. Only for operators who know that no process works under the lock. Keeps the order of fencing
     * tokens, if the row has one: a floor that leaves no token is replaced by one derived from the clock. Logged
     * at WARN.
     *
     * @param name the lock name
     * @return the lock as it was; empty if there was nothing to free
     * @throws IllegalStateException if a later version of this library wrote the row; only that version can release the
     *     lock
     * @throws InvalidSettingException if the name is not allowed
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed, or if the row has changed since it was read
     */
    Optional<LockState> forceFree(String name);

    /**
     * Changes how long a released lock is kept, by {@link Lease#release(Duration)} or under a minimum hold: for at
     * least the given time from now, whether that is longer or shorter than before. Has no effect on a lock with a
     * holder. A read and a write.
     *
     * @param name the lock name
     * @param leaseId the lease id, as {@link #inspect(String)} returns it
     * @param keep zero, to free the lock, to 36,500 days
     * @return false if the lock is not {@linkplain LockState#kept() kept} for that lease
     * @throws InvalidSettingException if the name is not allowed, or the time is negative or too long
     * @throws LockManagerClosedException if this manager is closed
     * @throws LockStoreException if the store failed
     * @since 0.1
     */
    boolean keep(String name, String leaseId, Duration keep);
}
