/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The store under test, one lock, and shorthands for operations on it. */
public interface StoreUnderTest {

    /** Timeout of requests that should not time out. */
    Duration TIMEOUT = Duration.ofSeconds(10);

    /** Far in the future, so that TTL deletes no row during a test. */
    Instant NOW = Instant.parse("2100-01-01T12:00:00.123Z");

    /** Lease duration. */
    Duration LEASE = Duration.ofSeconds(30);

    /** End of a lease acquired now. */
    Instant END = NOW.plus(LEASE);

    /** A time after the end of such a lease. */
    Instant PAST_END = END.plusMillis(1);

    /**
     * Returns the store.
     *
     * @return one that works
     */
    LockStore store();

    /**
     * Returns the lock.
     *
     * @return a name that no other test uses
     */
    String name();

    /**
     * Acquires the lock for the usual lease.
     *
     * @param leaseId the lease
     * @param token the token
     * @param guard the condition
     * @return the response
     */
    default Response acquire(String leaseId, long token, LockGuard guard) {
        return store().acquire(acquisition(leaseId, token, guard), TIMEOUT);
    }

    /**
     * Acquires the lock for the usual lease.
     *
     * @param leaseId the lease
     * @param token the token
     * @param guard the condition
     * @return the row after it
     */
    default LockRow acquired(String leaseId, long token, LockGuard guard) {
        assertThat(acquire(leaseId, token, guard).applied()).isTrue();
        return existingRow();
    }

    /**
     * Builds an acquire of the usual lease.
     *
     * @param leaseId the lease
     * @param token the token
     * @param guard the condition
     * @return the write
     */
    default Acquire acquisition(String leaseId, long token, LockGuard guard) {
        return Writes.acquire(name(), leaseId, "owner", token, LEASE, NOW, END, LeaseTime.SERVER, Map.of(), guard);
    }

    /**
     * Returns the guard for leases on the server's time.
     *
     * @param before the earliest that the current time can be
     * @return the guard
     */
    default FreeOrExpired freeOrExpired(Instant before) {
        return new FreeOrExpired(before, LeaseTime.SERVER);
    }

    /**
     * Renews a lease.
     *
     * @param leaseId the lease
     * @param number the number of the renewal
     * @param expiresAt the new end
     * @return the response
     */
    default Response renew(String leaseId, long number, Instant expiresAt) {
        return store().renew(Writes.renew(name(), leaseId, number, LEASE, expiresAt, LeaseTime.SERVER), TIMEOUT);
    }

    /**
     * Marks the lease for another process to resume.
     *
     * @param leaseId the lease
     * @param number of the renewal that does it
     */
    default void detach(String leaseId, long number) {
        assertApplied(
                store().renew(new Renew(name(), leaseId, number, LEASE, END, LeaseTime.SERVER, END, true), TIMEOUT));
    }

    /**
     * Frees the lock.
     *
     * @param leaseId the lease
     * @return the response
     */
    default Response release(String leaseId) {
        return store().release(new Release(name(), leaseId, NOW, null), TIMEOUT);
    }

    /**
     * Releases the lease with a minimum hold.
     *
     * @param leaseId the lease
     * @param until when it becomes free
     * @return the response
     */
    default Response rest(String leaseId, Instant until) {
        return rest(leaseId, until, Rest.FIRST);
    }

    /**
     * Changes the end of a minimum hold.
     *
     * @param leaseId the lease
     * @param until when it becomes free
     * @param number of the change
     * @return the response
     */
    default Response rest(String leaseId, Instant until, long number) {
        Rest rest = new Rest(Duration.between(NOW, until), until, LeaseTime.SERVER, until, number);
        return store().release(new Release(name(), leaseId, NOW, rest), TIMEOUT);
    }

    /**
     * Raises the token floor.
     *
     * @param leaseId the lease that was to have it
     * @param token the token
     * @return the response
     */
    default Response raiseFloor(String leaseId, long token) {
        return store().raiseFloor(new RaiseFloor(name(), leaseId, token, NOW), TIMEOUT);
    }

    /**
     * Revokes a lease.
     *
     * @param leaseId the lease
     * @return the response
     */
    default Response revoke(String leaseId) {
        return store().revoke(name(), leaseId, TIMEOUT);
    }

    /**
     * Reads the row.
     *
     * @return null if there is none
     */
    default @Nullable LockRow row() {
        return store().read(name(), true, TIMEOUT).row();
    }

    /**
     * Reads the row, which must exist.
     *
     * @return the row
     */
    default LockRow existingRow() {
        return Objects.requireNonNull(row(), "there is no row");
    }

    /**
     * Asserts that a write was rejected and returned the rejecting row.
     *
     * @param response to the write
     * @param before the row before it
     */
    default void assertRejected(Response response, @Nullable LockRow before) {
        assertThat(response.applied()).isFalse();
        assertThat(response.row()).isEqualTo(before);
        assertThat(row()).isEqualTo(before);
    }

    /**
     * Asserts that a write other than an acquire was applied.
     *
     * @param response to the write
     */
    default void assertApplied(Response response) {
        assertThat(response.applied()).isTrue();
        assertThat(response.row()).isNull();
    }
}
