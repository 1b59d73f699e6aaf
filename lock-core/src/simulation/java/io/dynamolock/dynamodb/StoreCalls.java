/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockGuard;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.Writes;
import java.math.BigDecimal;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Calls of the real store, with values that match the row about half of the time. */
final class StoreCalls {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final DynamoDbLockStore store;
    private final BothTables tables;
    private final RandomValues values;

    StoreCalls(DynamoDbLockStore store, BothTables tables, RandomValues values) {
        this.store = store;
        this.tables = tables;
        this.values = values;
    }

    void next() {
        String name = values.name();
        try {
            call(name);
        } catch (LockStoreException invalid) {
            // Compared already: a row that somebody corrupt does not let every write through
        }
    }

    private void call(String name) {
        switch (values.below(11)) {
            case 0, 1, 2, 3 -> store.acquire(acquisition(name), TIMEOUT);
            case 4, 5 -> store.renew(renewal(name), TIMEOUT);
            case 6 -> store.release(new Release(name, seenId(name), values.instant(), null), TIMEOUT);
            case 7 -> store.release(new Release(name, seenId(name), values.instant(), rest()), TIMEOUT);
            case 8 -> store.raiseFloor(raise(name), TIMEOUT);
            case 9 -> store.revoke(name, seenId(name), TIMEOUT);
            default -> store.read(name, values.inPercent(50), TIMEOUT);
        }
    }

    private Acquire acquisition(String name) {
        return Writes.acquire(
                name,
                values.leaseId(),
                "owner-" + values.below(2),
                token(name),
                values.duration(),
                values.instant(),
                values.instant(),
                values.clock(),
                values.metadata(),
                guard(name));
    }

    private LockGuard guard(String name) {
        return switch (values.below(6)) {
            case 0 -> new Free();
            case 1, 2 -> new FreeOrExpired(values.instant(), values.clock());
            case 3 -> new Unchanged(seenId(name), renewals(name));
            case 4 -> new Unchanged(seenId(name), null);
            default -> new HeldBy(seenId(name));
        };
    }

    private Renew renewal(String name) {
        return Writes.renew(name, seenId(name), renewals(name), values.duration(), values.instant(), values.clock());
    }

    private Rest rest() {
        return Writes.rest(values.duration(), values.instant(), values.clock());
    }

    private RaiseFloor raise(String name) {
        return new RaiseFloor(name, seenId(name), token(name), values.instant());
    }

    /** Most often the one in the row. */
    private String seenId(String name) {
        AttributeValue seen = tables.item(name).get(LockRowMapper.LEASE_ID);
        return seen == null || seen.s() == null || values.inPercent(20) ? values.leaseId() : seen.s();
    }

    private long token(String name) {
        return Math.max(1, seen(name, LockRowMapper.TOKEN_FLOOR) + values.below(4) - 1);
    }

    private long renewals(String name) {
        return Math.max(0, seen(name, LockRowMapper.RENEWALS) + values.below(3) - 1);
    }

    private long seen(String name, String attribute) {
        AttributeValue seen = tables.item(name).get(attribute);
        return seen == null || seen.n() == null || seen.n().length() > 9 ? 0 : new BigDecimal(seen.n()).longValue();
    }
}
