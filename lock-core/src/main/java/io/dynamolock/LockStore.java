/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Storage of the lock rows: one per lock name, changed by one conditional write per operation, never deleted.
 *
 * <p>A store makes no decisions and does not retry. Each write carries the condition under which it applies; a write
 * whose condition does not hold is rejected, and the response carries the row as it was. The same write may arrive
 * twice or late, so each condition makes the second application harmless:
 *
 * <pre>
 * acquire        a token above the floor, and one of: the row is free, and not claimed by another process;
 *                its lease has expired by the same clock; its lease was observed unchanged; its lease is
 *                detached and not revoked, to resume it
 * renew          the lease is in the row, with a lower renewal number, and not revoked
 * release        the lease is in the row
 * raiseFloor     the floor is lower, and the lease is not in the row
 * claim          a lease is in the row, and no claim or a junior one
 * withdrawClaim  this very claim is in the row
 * revoke         the lease is in the row
 * forceFree      the row is as it was read, and its floor still leaves tokens, or still leaves none
 * </pre>
 *
 * <p>A row whose attribute {@code format} is a number above {@value #FORMAT} was written by a later version of this
 * library: no write to it is applied.
 *
 * <p>Implementations are thread-safe. Every method throws {@link LockStoreException} if the store rejected the request,
 * failed or did not respond within the timeout. On an interrupted thread, the client's own behavior applies.
 *
 * @since 0.1
 */
public interface LockStore {

    /** The row format of this version, which is also that of rows without the attribute. */
    int FORMAT = 1;

    /**
     * Makes a lease the holder.
     *
     * @param write the write and its condition
     * @param timeout the timeout of the whole request
     * @return applied: with the row as it is now if the lease of another is resumed ({@link LockGuard.HeldBy}), without
     *     a row otherwise; rejected: with the row as it was
     */
    Response acquire(LockWrite.Acquire write, Duration timeout);

    /**
     * Extends a lease.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response renew(LockWrite.Renew write, Duration timeout);

    /**
     * Frees the lock, or leaves it taken without a holder for a remaining time.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response release(LockWrite.Release write, Duration timeout);

    /**
     * Uses up a token, so that an acquire that proposes it is rejected whenever it arrives.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response raiseFloor(LockWrite.RaiseFloor write, Duration timeout);

    /**
     * Claims the next turn for a process that waits.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response claim(LockWrite.Claim write, Duration timeout);

    /**
     * Withdraws the claim of a process that no longer waits.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response withdrawClaim(LockWrite.WithdrawClaim write, Duration timeout);

    /**
     * Marks a lease as revoked: no renewal of it is applied any more.
     *
     * @param name the stored name
     * @param leaseId the lease
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it was
     */
    Response revoke(String name, String leaseId, Duration timeout);

    /**
     * Frees a lock whatever its row contains, for operators, on condition that the row is still the one that was read.
     * A floor that leaves tokens is kept.
     *
     * @param write the write
     * @param timeout the timeout of the whole request
     * @return applied: without a row; rejected: with the row as it is, or null if there is no row
     */
    Response forceFree(LockWrite.ForceFree write, Duration timeout);

    /**
     * Reads one row for {@link #forceFree}: here a row that is too large to be remembered has a
     * {@linkplain LockRow#stamp() stamp} as well.
     *
     * @param name the stored name
     * @param timeout the timeout of the whole request
     * @return applied, with the row, or with null if there is no row
     */
    default Response readToFree(String name, Duration timeout) {
        return read(name, true, timeout);
    }

    /**
     * Reads one row.
     *
     * @param name the stored name
     * @param consistent false if a slightly stale row is acceptable, at half the price
     * @param timeout the timeout of the whole request
     * @return applied, with the row, or with null if there is no row
     */
    Response read(String name, boolean consistent, Duration timeout);

    /**
     * Returns a description of this store, for messages and lease tokens.
     *
     * @return for example {@code table 'dynamolock'}; the same in every process that uses the same rows
     */
    String describe();

    /**
     * A sample of the store's time, from one response. It has the machine's wall clock beside the monotonic one,
     * because nothing else reveals whether the machine was suspended since then.
     *
     * @param sentNanos {@link System#nanoTime()} before the request was sent
     * @param sentAt the machine's wall clock, read right after that
     * @param receivedNanos {@link System#nanoTime()} when the response had arrived
     * @param receivedAt the machine's wall clock, read right after that
     * @param date the store's own time in whole seconds
     */
    record TimeSample(long sentNanos, Instant sentAt, long receivedNanos, Instant receivedAt, Instant date) {}

    /**
     * The response of a store.
     *
     * @param applied whether the condition held
     * @param row the row that the operation promises; null if there is none
     * @param date the store's own time in whole seconds, from the response; null if it carried none
     */
    record Response(
            boolean applied,
            @Nullable LockRow row,
            @Nullable Instant date) {}
}
