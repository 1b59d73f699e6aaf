/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromNul;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromSs;

import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.dynamodb.RawItems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Manually edited rows: each attribute in turn is missing or has another type. */
class CorruptRowTests {

    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();
    private static final String TABLE = LocalDynamoDb.newTable();
    private static final RawItems ITEMS = new RawItems(TABLE);
    private static final List<String> OF_A_HOLDER = List.of(
            "owner", "fencingToken", "tokenFloor", "leaseMillis", "expiresAt", "clock", "renewals", "acquiredAt");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(CLIENT).tableName(TABLE).build();
    private final String name = "job-" + NAMES.incrementAndGet();
    private final ManualTime time = new ManualTime();
    private final List<LockManager> managers = new ArrayList<>();

    CorruptRowTests() {
        time.stepWall(Duration.between(time.instant(), Instant.now()));
    }

    @AfterEach
    void close() {
        managers.forEach(LockManager::close);
    }

    static Stream<Arguments> corruptions() {
        Stream<Arguments> missing = OF_A_HOLDER.stream().map(attribute -> Arguments.of(attribute, null));
        Stream<Arguments> mistyped = Stream.concat(OF_A_HOLDER.stream(), Stream.of("leaseId", "metadata", "revoked"))
                .flatMap(attribute -> Stream.of(fromNul(true), fromSs(List.of("a", "b")), otherThan(attribute))
                        .map(value -> Arguments.of(attribute, value)));
        return Stream.concat(missing, mistyped);
    }

    private static AttributeValue otherThan(String attribute) {
        return attribute.matches("leaseId|owner|clock") ? fromN("7") : fromS("7");
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void corruptRowCountsAsHeldIsReportedOnceAndKept(String attribute, @Nullable AttributeValue value) {
        judge(LeaseTime.SYSTEM, attribute, value, !attribute.equals("tokenFloor") || value == null);
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void corruptRowIsObservedForDefaultLeaseWithoutStoreTime(String attribute, @Nullable AttributeValue value) {
        judge(LeaseTime.OBSERVED, attribute, value, !attribute.equals("tokenFloor") || value == null);
    }

    private void judge(LeaseTime leaseTime, String attribute, @Nullable AttributeValue value, boolean judgeable) {
        Map<String, AttributeValue> item = heldItem(leaseTime);
        item.remove(attribute);
        if (value != null) {
            item.put(attribute, value);
        }
        ITEMS.put(item);
        LockManager locks = manager(leaseTime);

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(locks.tryAcquire(name)).isEmpty();
            time.pass(LEASE.minusMillis(1));
            assertThat(locks.tryAcquire(name)).isEmpty();

            assertThat(ITEMS.item(name)).as("the row after rejected attempts").isEqualTo(item);
            assertThat(reports(logs)).singleElement().asString().contains("'" + name + "'", TABLE, attribute);
        }
        time.pass(Duration.ofMillis(1_100));
        if (judgeable) {
            assertThat(locks.tryAcquire(name)).isPresent();
        } else {
            assertThatThrownBy(() -> locks.tryAcquire(name))
                    .isInstanceOfSatisfying(
                            LockStoreException.class,
                            closed -> assertThat(closed.isRetryable()).isFalse())
                    .hasMessageContaining("forceFree");
            assertThat(locks.forceFree(name)).isPresent();
            assertThat(locks.tryAcquire(name)).isPresent();
        }
    }

    private static List<String> reports(CapturedLogs logs) {
        return logs.warnings().stream()
                .filter(text -> text.startsWith("The row of lock"))
                .toList();
    }

    @Test
    void rowWithoutLeaseIdIsFree() {
        Map<String, AttributeValue> item = heldItem(LeaseTime.SYSTEM);
        item.remove("leaseId");
        ITEMS.put(item);

        Lease lease = manager(LeaseTime.SYSTEM).tryAcquire(name).orElseThrow();

        assertThat(lease.fencingToken()).isGreaterThan(1000);
    }

    @Test
    void forceFreeKeepsRowWithoutFloorAcquirable() {
        Map<String, AttributeValue> item = heldItem(LeaseTime.SYSTEM);
        item.remove("tokenFloor");
        item.put("fencingToken", fromN(Long.toString(LockRow.HIGHEST_TOKEN)));
        ITEMS.put(item);
        LockManager locks = manager(LeaseTime.SYSTEM);

        assertThat(locks.forceFree(name)).isPresent();

        assertThat(ITEMS.item(name)).doesNotContainKeys("leaseId", "fencingToken");
        assertThat(locks.tryAcquire(name)).isPresent();
    }

    @Test
    void differentCorruptionIsReportedAgain() {
        LockManager locks = manager(LeaseTime.SYSTEM);
        Map<String, AttributeValue> item = heldItem(LeaseTime.SYSTEM);
        item.remove("owner");
        ITEMS.put(item);

        try (CapturedLogs logs = new CapturedLogs()) {
            locks.tryAcquire(name);
            locks.inspect(name);
            item.remove("expiresAt");
            ITEMS.put(item);
            locks.inspect(name);
            locks.tryAcquire(name);

            assertThat(reports(logs)).hasSize(2);
            assertThat(reports(logs).get(1)).contains("owner", "expiresAt");
        }
    }

    @Test
    void rowThatClosesByExpiryIsReportedAgain() {
        LockManager locks = manager(LeaseTime.SYSTEM);
        Map<String, AttributeValue> item = heldItem(LeaseTime.SYSTEM);
        item.put("tokenFloor", fromN(Long.toString(LockRow.HIGHEST_TOKEN)));
        ITEMS.put(item);

        try (CapturedLogs logs = new CapturedLogs()) {
            locks.inspect(name);
            time.pass(LEASE.plusSeconds(2));
            locks.inspect(name);
            locks.inspect(name);

            assertThat(reports(logs)).hasSize(2);
            assertThat(reports(logs).get(0)).contains("after this holder nobody can acquire the lock");
            assertThat(reports(logs).get(1))
                    .endsWith("has no fencing token left (tokenFloor): nobody can acquire the lock until an operator"
                            + " frees it (LockManager.forceFree, or dynamolock release --anyway)");
        }
    }

    @Test
    void repairedCorruptionIsReportedAgainIfItRecurs() {
        LockManager locks = manager(LeaseTime.SYSTEM);
        Map<String, AttributeValue> closed = heldItem(LeaseTime.SYSTEM);
        closed.put("leaseId", fromNul(true));
        closed.put("tokenFloor", fromN("9223372036854775807"));

        try (CapturedLogs logs = new CapturedLogs()) {
            ITEMS.put(closed);
            locks.inspect(name);
            locks.inspect(name);
            assertThat(reports(logs)).hasSize(1);

            locks.forceFree(name);
            ITEMS.put(closed);
            locks.inspect(name);
            assertThat(reports(logs)).hasSize(2);

            ITEMS.put(heldItem(LeaseTime.SYSTEM));
            locks.inspect(name);
            ITEMS.put(closed);
            locks.inspect(name);
            locks.inspect(name);
            assertThat(reports(logs)).hasSize(3);
        }
    }

    @Test
    void heartbeatSurvivesEachCorruption() {
        ManualScheduler scheduler = new ManualScheduler(time);
        LockManager locks = manager(scheduler);
        Lease sound = locks.tryAcquire(name).orElseThrow();
        Map<String, Lease> corrupt = new HashMap<>();
        for (Arguments corruption : corruptions().toList()) {
            String one = name + "-" + corrupt.size();
            corrupt.put(one, locks.tryAcquire(one).orElseThrow());
            ITEMS.change(one, (String) corruption.get()[0], (AttributeValue)
                    corruption.get()[1]);
        }

        try (CapturedLogs logs = new CapturedLogs()) {
            scheduler.pass(LEASE.multipliedBy(2));

            assertThat(logs.warnings()).noneMatch(text -> text.contains("Unexpected failure"));
        }
        assertThat(sound.isHeld()).isTrue();
        assertThat(corrupt.values())
                .allSatisfy(lease -> assertThat(lease.state()).isIn(LeaseState.HELD, LeaseState.LOST));
        for (Lease lease : corrupt.values()) {
            assertThat(lease.release()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"renewals", "expiresAt", "leaseMillis", "clock", "owner"})
    void holderReportsCorruptionOfItsRow(String attribute) throws InterruptedException {
        LockManager locks = LockManager.builder(store)
                .leaseDuration(LEASE)
                .shutdownGrace(Duration.ZERO)
                .build();
        managers.add(locks);
        Lease lease = locks.acquire(LockRequest.of(name).autoRenew(false));
        ITEMS.change(name, attribute, fromM(Map.of()));
        ITEMS.change(name, "revoked", fromS("yes"));

        try (CapturedLogs logs = new CapturedLogs()) {
            try {
                lease.renew();
            } catch (LeaseLostException expected) {
                assertThat(expected).hasMessageContaining("revoked");
            }

            assertThat(logs.warnings()).anyMatch(text -> text.contains(attribute) && text.contains("revoked"));
        }
    }

    private LockManager manager(LeaseTime leaseTime) {
        LockManager locks = LockManager.builder(store)
                .leaseDuration(LEASE)
                .time(leaseTime)
                .clock(time)
                .nanoTime(time::nanos)
                .shutdownGrace(Duration.ZERO)
                .build();
        managers.add(locks);
        return locks;
    }

    /** Creates a manager that renews when a test advances time. */
    private LockManager manager(ManualScheduler scheduler) {
        LockSettings settings = Node.settings(LEASE);
        LockListener listener = new LockListener() {};
        LockManager locks = new DefaultLockManager(
                new EngineContext(
                        store,
                        settings,
                        LeaseClock.of(settings, time, time::nanos, listener),
                        RetryPolicy.DEFAULT,
                        listener,
                        scheduler,
                        () -> 0.5,
                        () -> UUID.randomUUID().toString(),
                        null),
                new ShutdownOnLoss(loss -> {}),
                "node");
        managers.add(locks);
        return locks;
    }

    private Map<String, AttributeValue> heldItem(LeaseTime leaseTime) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("lockName", fromS(name));
        item.put("leaseId", fromS("theirs"));
        item.put("owner", fromS("them"));
        item.put("fencingToken", fromN("1000"));
        item.put("tokenFloor", fromN("1000"));
        item.put("leaseMillis", fromN("30000"));
        item.put("expiresAt", fromN(Long.toString(time.millis() + 30_000)));
        item.put("clock", fromS(leaseTime.code()));
        item.put("renewals", fromN("3"));
        item.put("acquiredAt", fromN(Long.toString(time.millis())));
        return item;
    }
}
