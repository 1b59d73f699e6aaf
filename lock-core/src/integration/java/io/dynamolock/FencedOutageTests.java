/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.Fencing;
import io.dynamolock.dynamodb.LocalDynamoDb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Many holders during an outage of DynamoDB of two leases: the writes that they prepared meanwhile are rejected once others
 * hold their locks. The network is real, the time is manual.
 */
@ExtendWith(WithoutWarnings.class)
class FencedOutageTests {

    private static final int HOLDERS = (int) Scale.of(40, 250);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime();
    private final RecordingListener events = new RecordingListener();
    private final String locksTable = LocalDynamoDb.newTable();
    private final String dataTable = LocalDynamoDb.newTable();
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();

    @BeforeEach
    void setTheWallClock() {
        time.stepWall(Duration.between(time.instant(), Instant.now()));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @Tag("scaled")
    void preparedWritesOfOldHoldersAreRejectedAfterTakeover() {
        ManualScheduler scheduler = new ManualScheduler(time);
        LockManager holders = manager(scheduler, client);
        List<Lease> old = takeAll(holders);
        List<ConditionCheck> prepared =
                old.stream().map(Fencing::conditionCheck).toList();
        http.always(Fault.refuseConnection());
        scheduler.pass(LEASE.multipliedBy(2));
        http.always(Fault.none());
        http.forget();

        scheduler.pass(LEASE);
        List<Lease> next = takeAll(manager(new ManualScheduler(time), LocalDynamoDb.client()));

        assertThat(http.attempts()).as("requests of those who lost").isEmpty();
        assertThat(events.losses).hasSize(HOLDERS).extracting(LeaseLost::reason).containsOnly(Reason.UNREACHABLE);
        for (int i = 0; i < HOLDERS; i++) {
            ConditionCheck late = prepared.get(i);
            Lease lost = old.get(i);
            assertThatThrownBy(() -> write(late, "late")).isInstanceOf(TransactionCanceledException.class);
            assertThatThrownBy(() -> Fencing.conditionCheck(lost)).isInstanceOf(LeaseLostException.class);
            assertThat(next.get(i).fencingToken()).isGreaterThan(lost.fencingToken());
        }
        write(Fencing.conditionCheck(next.get(0)), "in time");
        assertThat(written()).isEqualTo("in time");
    }

    private LockManager manager(ManualScheduler scheduler, DynamoDbClient on) {
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(on).tableName(locksTable).build();
        LockSettings settings = Node.settings(LEASE);
        return new DefaultLockManager(
                new EngineContext(
                        store,
                        settings,
                        LeaseClock.of(settings, time, time::nanos, events),
                        RetryPolicy.DEFAULT,
                        events,
                        scheduler,
                        new Random(5)::nextDouble,
                        () -> UUID.randomUUID().toString(),
                        null),
                new ShutdownOnLoss(loss -> {}),
                "node");
    }

    private static List<Lease> takeAll(LockManager locks) {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < HOLDERS; i++) {
            leases.add(locks.tryAcquire("job-" + i).orElseThrow());
        }
        return leases;
    }

    private void write(ConditionCheck check, String text) {
        Put put = Put.builder()
                .tableName(dataTable)
                .item(Map.of("lockName", AttributeValue.fromS("data"), "text", AttributeValue.fromS(text)))
                .build();
        TransactWriteItem held =
                TransactWriteItem.builder().conditionCheck(check).build();
        TransactWriteItem written = TransactWriteItem.builder().put(put).build();
        client.transactWriteItems(transaction -> transaction.transactItems(held, written));
    }

    private String written() {
        return client.getItem(get -> get.tableName(dataTable).key(Map.of("lockName", AttributeValue.fromS("data"))))
                .item()
                .getOrDefault("text", AttributeValue.fromS(""))
                .s();
    }
}
