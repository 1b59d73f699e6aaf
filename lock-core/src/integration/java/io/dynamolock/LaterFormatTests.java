/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.dynamodb.RawItems;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Rows written by a later version of this library: always treated as held and never changed. */
class LaterFormatTests {

    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();
    private static final String TABLE = LocalDynamoDb.newTable();
    private static final RawItems ITEMS = new RawItems(TABLE);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(CLIENT).tableName(TABLE).build();
    private final String name = "job-" + NAMES.incrementAndGet();
    private final ManualTime time = new ManualTime();
    private LockManager locks = manager(LeaseTime.SYSTEM);

    @AfterEach
    void close() {
        locks.close();
    }

    private LockManager manager(LeaseTime leaseTime) {
        return LockManager.builder(store)
                .leaseDuration(LEASE)
                .time(leaseTime)
                .clock(time)
                .nanoTime(time::nanos)
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    /** A row as this version writes it, except for its format; its end is long past. */
    private Map<String, AttributeValue> later() {
        return Map.ofEntries(
                Map.entry("lockName", fromS(name)),
                Map.entry("format", fromN("2")),
                Map.entry("leaseId", fromS("theirs")),
                Map.entry("owner", fromS("them")),
                Map.entry("fencingToken", fromN("1000")),
                Map.entry("tokenFloor", fromN("1000")),
                Map.entry("leaseMillis", fromN("30000")),
                Map.entry("expiresAt", fromN("1000")),
                Map.entry("clock", fromS("W")),
                Map.entry("renewals", fromN("3")),
                Map.entry("acquiredAt", fromN("1000")));
    }

    @ParameterizedTest
    @EnumSource(LeaseTime.class)
    void rowsOfLaterFormatAreNeverTakenOver(LeaseTime leaseTime) {
        ITEMS.put(later());
        locks = manager(leaseTime);

        try (CapturedLogs logs = new CapturedLogs()) {
            for (int i = 0; i < 4; i++) {
                assertThat(locks.tryAcquire(name)).isEmpty();
                assertThat(locks.inspect(name))
                        .extracting(LockState::status, LockState::owner)
                        .containsExactly(LockState.Status.HELD, "them");
                time.pass(LEASE.multipliedBy(2));
            }

            assertThat(logs.warnings())
                    .filteredOn(text -> text.contains("later version"))
                    .singleElement()
                    .asString()
                    .contains("'" + name + "'", TABLE);
        }
        assertThat(ITEMS.item(name)).isEqualTo(later());
    }

    @Test
    void noWriteToRowOfLaterFormatIsApplied() {
        ITEMS.put(later());
        Instant now = Instant.ofEpochMilli(5_000);

        assertThat(store.renew(Writes.renew(name, "theirs", 9, LEASE, now, LeaseTime.SYSTEM), TIMEOUT)
                        .applied())
                .isFalse();
        assertThat(store.release(new Release(name, "theirs", now, null), TIMEOUT)
                        .applied())
                .isFalse();
        assertThat(store.raiseFloor(new RaiseFloor(name, "other", 5_000, now), TIMEOUT)
                        .applied())
                .isFalse();
        assertThat(store.revoke(name, "theirs", TIMEOUT).applied()).isFalse();
        assertThat(locks.revoke(name, "theirs")).isFalse();
        assertThat(locks.forceRelease(name, "theirs")).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> locks.forceFree(name))
                .withMessageContaining("later version");
        assertThat(ITEMS.item(name)).isEqualTo(later());
    }

    @Test
    void freeRowOfLaterFormatIsNotAcquired() {
        ITEMS.put(Map.of("lockName", fromS(name), "format", fromN("3")));
        Acquire write = Writes.acquire(
                name, "a", "me", 7, LEASE, Instant.now(), Instant.now(), LeaseTime.SYSTEM, Map.of(), new Free());

        assertThat(store.acquire(write, TIMEOUT).applied()).isFalse();
        assertThat(locks.tryAcquire(name)).isEmpty();
    }

    @Test
    void holderLosesLockTakenByLaterVersion() {
        Lease lease = locks.tryAcquire(name).orElseThrow();
        CLIENT.updateItem(update -> update.tableName(TABLE)
                .key(Map.of("lockName", fromS(name)))
                .updateExpression("SET #f = :f")
                .expressionAttributeNames(Map.of("#f", "format"))
                .expressionAttributeValues(Map.of(":f", fromN("2"))));

        assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void rowOfCurrentFormatIsAcquired() {
        ITEMS.put(Map.of("lockName", fromS(name), "format", fromN("1")));

        assertThat(locks.tryAcquire(name)).isPresent();
    }

    @Test
    void nonNumericFormatIsIgnored() {
        ITEMS.put(Map.of("lockName", fromS(name), "format", fromS("9")));

        assertThat(locks.tryAcquire(name)).isPresent();
    }
}
