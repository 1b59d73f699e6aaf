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
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.dynamodb.RawItems;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
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

    private Map<String, AttributeValue> laterWith(String attribute, AttributeValue value) {
        Map<String, AttributeValue> row = new HashMap<>(later());
        row.put(attribute, value);
        return row;
    }

    /** What a later version would do to a row of this one. */
    private void makeLater() {
        ITEMS.change(name, "format", fromN("2"));
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
    void noTurnIsClaimedOrGivenUpInRowOfLaterFormat() {
        TurnClaim claim = TurnClaim.of(5, Duration.ofMillis(1_500), "claimant");
        ITEMS.put(later());

        assertThat(store.claim(new Claim(name, claim), TIMEOUT).applied()).isFalse();
        assertThat(ITEMS.item(name)).isEqualTo(later());

        Map<String, AttributeValue> claimed = laterWith("claim", fromS(claim.text()));
        ITEMS.put(claimed);

        assertThat(store.withdrawClaim(new WithdrawClaim(name, claim), TIMEOUT).applied())
                .isFalse();
        assertThat(ITEMS.item(name)).isEqualTo(claimed);
    }

    @Test
    void detachedLeaseOfLaterFormatIsNotResumed() {
        LeaseToken token = locks.tryAcquire(name).orElseThrow().detach();
        makeLater();
        Map<String, AttributeValue> before = ITEMS.item(name);
        Acquire write = Writes.acquire(
                name,
                "a",
                "me",
                Long.MAX_VALUE / 2,
                LEASE,
                Instant.now(),
                Instant.now(),
                LeaseTime.SYSTEM,
                Map.of(),
                new HeldBy(token.leaseId()));

        assertThat(store.acquire(write, TIMEOUT).applied()).isFalse();
        assertThatThrownBy(() -> locks.resume(token)).isInstanceOf(LeaseLostException.class);
        assertThat(ITEMS.item(name)).isEqualTo(before);
    }

    @Test
    void leaseInRowOfLaterFormatIsNotDetached() {
        Lease lease = locks.tryAcquire(name).orElseThrow();
        makeLater();
        Map<String, AttributeValue> before = ITEMS.item(name);

        assertThatThrownBy(lease::detach).isInstanceOf(LeaseLostException.class);

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(ITEMS.item(name)).isEqualTo(before);
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
        makeLater();

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
