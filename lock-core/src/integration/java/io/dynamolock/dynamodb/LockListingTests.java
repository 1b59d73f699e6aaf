/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRow;
import io.dynamolock.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Listing of a table's locks. */
class LockListingTests {

    private final String name = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(name);
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(client).tableName(name).build();
    private final LockManager locks = LockManager.builder(store)
            .owner("me")
            .namePrefix("app/")
            .shutdownGrace(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        http.always(Fault.none());
        locks.close();
        client.close();
    }

    @Test
    void listsHeldAndFreeLocksByStoredName() {
        Lease held = take("held");
        Lease released = take("released");
        released.release();

        Map<String, LockRow> rows = list();

        assertThat(rows).containsOnlyKeys("app/held", "app/released");
        LockRow row = row(rows, "app/held");
        assertThat(row)
                .isEqualTo(store.read("app/held", true, Duration.ofSeconds(10)).row());
        assertThat(row.isFree()).isFalse();
        assertThat(row.owner()).isEqualTo("me");
        assertThat(row.fencingToken()).isEqualTo(held.fencingToken());
        assertThat(row.expiresAt()).isNotNull();
        assertThat(row(rows, "app/released").isFree()).isTrue();
        assertThat(row(rows, "app/released").highestToken()).isEqualTo(released.fencingToken());
    }

    @Test
    void emptyTableHasNoLocks() {
        assertThat(store.table().locks()).isEmpty();
    }

    @Test
    void corruptRowsAreListedWithTheirDefects() {
        take("held");
        items.add("corrupt", Map.of("leaseId", fromN("7"), "owner", fromN("7"), "metadata", fromS("none")));
        items.add("later", Map.of("leaseId", fromS("x"), "format", fromN("2")));
        items.add("foreign", Map.of("text", fromS("not a lock")));

        Map<String, LockRow> rows = list();

        assertThat(rows).containsOnlyKeys("app/held", "corrupt", "later", "foreign");
        assertThat(row(rows, "app/held").defects()).isEmpty();
        assertThat(row(rows, "corrupt").isFree()).isFalse();
        assertThat(row(rows, "corrupt").defects()).contains("leaseId", "owner", "metadata");
        assertThat(row(rows, "later").laterFormat()).isTrue();
        assertThat(row(rows, "foreign").isFree()).isTrue();
    }

    @Test
    void pagesAreReadConsistentlyAndOnlyAsFarAsNeeded() {
        List<String> names = IntStream.range(0, 8).mapToObj(i -> "job-" + i).toList();
        names.forEach(job -> items.add(job, Map.of("foreign", fromS("x".repeat(300_000))))); // 2.4 MB

        assertThat(store.table().locks().map(StoredLock::storedName)).containsExactlyInAnyOrderElementsOf(names);
        assertThat(http.attempts("Scan"))
                .hasSizeGreaterThan(1)
                .allSatisfy(attempt -> assertThat(attempt.body()).contains("\"ConsistentRead\":true"));
        http.forget();

        assertThat(store.table().locks().limit(2)).hasSize(2);
        assertThat(http.count("Scan")).isOne();
    }

    @Test
    void creatingTheStreamSendsNothing() {
        Stream<StoredLock> unused = store.table().locks();

        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void itemsWithOtherSortKeyAreNoLocks() {
        DynamoDbLockStore shared = DynamoDbLockStore.builder(client)
                .tableName(LocalDynamoDb.newTableName())
                .sortKey("type", "lock")
                .build();
        shared.table().createIfMissing(Duration.ofSeconds(30));
        String table = shared.table().describe().name();
        for (String type : List.of("lock", "order")) {
            client.putItem(
                    put -> put.tableName(table).item(Map.of("lockName", fromS("job of " + type), "type", fromS(type))));
        }

        assertThat(shared.table().locks().map(StoredLock::storedName)).containsExactly("job of lock");
    }

    @Test
    void failedPageEndsTheStreamWithReasonAndRemedy() {
        http.always(Fault.denyAccess());

        Stream<StoredLock> stream = store.table().locks();

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(stream::toList)
                .withMessageContaining(
                        "Listing the locks of table '" + name + "' at " + LocalDynamoDb.endpoint() + " failed")
                .withMessageContaining("dynamodb:Scan");
    }

    /** As of a proxy whose target is not ready: to the SDK, the table is empty. */
    @Test
    void responseOfAnotherServerIsNoEmptyTable() {
        http.always(Fault.response(200, "text/plain", ""));

        Stream<StoredLock> stream = store.table().locks();

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(stream::toList)
                .withMessageContaining("not DynamoDB's");
    }

    /** The lock manager repeats requests about locks only, and a page takes the capacity of a second and more. */
    @Test
    void throttledPageIsRequestedAgainByClientForLocksOnly() {
        take("job");
        try (DynamoDbClient forLocks = LocalDynamoDb.newClient()
                .httpClient(http)
                .addPlugin(DynamoDbLockStore::configureClient)
                .build()) {
            LockTable table =
                    DynamoDbLockStore.builder(forLocks).tableName(name).build().table();
            http.next(Fault.throttle(), Fault.serverError());

            assertThat(table.locks()).hasSize(1);
        }
    }

    @Test
    void otherKeyIsReported() {
        take("job");
        LockTable other = DynamoDbLockStore.builder(client)
                .tableName(name)
                .partitionKey("id")
                .build()
                .table();

        assertOtherKeys(other);
    }

    @Test
    void keyOfAnotherTypeIsReported() {
        String numbers = LocalDynamoDb.newTableName();
        client.createTable(create -> create.tableName(numbers)
                .keySchema(KeySchemaElement.builder()
                        .attributeName("lockName")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("lockName")
                        .attributeType(ScalarAttributeType.N)
                        .build())
                .billingMode(BillingMode.PAY_PER_REQUEST));
        client.putItem(put -> put.tableName(numbers).item(Map.of("lockName", fromN("7"))));

        assertOtherKeys(
                DynamoDbLockStore.builder(client).tableName(numbers).build().table());
    }

    private static void assertOtherKeys(LockTable table) {
        Stream<StoredLock> stream = table.locks();

        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(stream::toList)
                .withMessageMatching("Listing the locks of table '.*' at http.* failed: the keys do not match the key"
                        + " schema of the table; compare table '.*' with the settings.*")
                .satisfies(failure -> assertThat(TableProblem.of(failure)).isEqualTo(TableProblem.UNFIT));
    }

    @Test
    void textHasNoLeaseIdAndNoControlCharacter() {
        Lease held = take("held");
        items.add("two\nlines", Map.of("leaseId", fromS("x")));

        assertThat(store.table().locks().map(StoredLock::toString))
                .hasSize(2)
                .noneMatch(text -> text.contains(held.id()) || text.contains("\n"));
    }

    private Lease take(String lock) {
        return locks.tryAcquire(lock).orElseThrow();
    }

    private Map<String, LockRow> list() {
        return store.table().locks().collect(Collectors.toMap(StoredLock::storedName, StoredLock::row));
    }

    private static LockRow row(Map<String, LockRow> rows, String storedName) {
        return Objects.requireNonNull(rows.get(storedName), storedName);
    }
}
