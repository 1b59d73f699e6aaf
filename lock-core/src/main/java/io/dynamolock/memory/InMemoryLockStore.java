/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lock store in the memory of this JVM, with the conditions that a table would check: for tests, and for applications
 * with a single process.
 *
 * <p>It responds immediately, never fails and ignores timeouts. Times are kept in milliseconds, as in a table. Every
 * response carries the time of the store's clock in whole seconds. Rows are kept as long as the store exists.
 * Thread-safe.
 *
 * @since 0.1
 */
public final class InMemoryLockStore implements LockStore {

    private final ConcurrentMap<String, LockRow> rows = new ConcurrentHashMap<>();
    private final String description = "memory " + UUID.randomUUID();
    private final Clock clock;

    /** Creates an empty store that uses the system clock. */
    public InMemoryLockStore() {
        this(Clock.systemUTC());
    }

    /**
     * Creates an empty store.
     *
     * @param clock the clock of its responses
     */
    public InMemoryLockStore(Clock clock) {
        this.clock = clock;
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        Response response = write(write.name(), Change.of(write));
        return write.onlyIf() instanceof HeldBy ? response : withoutRow(response);
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response release(Release write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response claim(Claim write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response withdrawClaim(WithdrawClaim write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response revoke(String name, String leaseId, Duration timeout) {
        return withoutRow(write(name, Change.revocationOf(leaseId)));
    }

    @Override
    public Response forceFree(ForceFree write, Duration timeout) {
        return withoutRow(write(write.name(), Change.of(write)));
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        return response(true, rows.get(name));
    }

    @Override
    public String describe() {
        return description;
    }

    /** Removes every row, for tests: every holder loses its lock. */
    public void clear() {
        retain(row -> false);
    }

    /**
     * Removes the rows of free locks, and those that a test does not retain, for tests.
     *
     * @param retained returns for a row with a lease whether it stays
     */
    public void retain(Predicate<? super LockRow> retained) {
        for (String name : rows.keySet()) {
            LockRow row = rows.get(name);
            while (row != null && (row.leaseId() == null || !retained.test(row)) && !rows.remove(name, row)) {
                row = rows.get(name); // changed meanwhile
            }
        }
    }

    private Response write(String name, Change change) {
        while (true) {
            LockRow before = rows.get(name);
            LockRow after = change.after(before);
            if (after == null) {
                return response(false, before);
            }
            if (before == null ? rows.putIfAbsent(name, after) == null : rows.replace(name, before, after)) {
                return response(true, after);
            }
        }
    }

    private Response response(boolean applied, @Nullable LockRow row) {
        Instant date = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return new Response(applied, row, date);
    }

    private static Response withoutRow(Response response) {
        return response.applied() ? new Response(true, null, response.date()) : response;
    }
}
