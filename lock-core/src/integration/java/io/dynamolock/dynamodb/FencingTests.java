/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** A holder that does not know of its takeover: its lease still appears held, its writes are rejected. */
class FencingTests {

    private final DynamoDbClient client = LocalDynamoDb.client();
    private final String locksTable = LocalDynamoDb.newTable();
    private final String dataTable = LocalDynamoDb.newTable();
    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(client).tableName(locksTable).build();
    private final LockManager locks = LockManager.builder(store)
            .namePrefix("app/")
            .shutdownGrace(Duration.ZERO)
            .build();
    private final LockManager rival = LockManager.builder(store)
            .namePrefix("app/")
            .shutdownGrace(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        locks.close();
        rival.close();
    }

    private Lease takenOver() {
        Lease lease = locks.tryAcquire("job").orElseThrow();
        rival.forceRelease("job", lease.id());
        assertThat(rival.tryAcquire("job")).isPresent();
        assertThat(lease.isHeld()).as("it does not know yet").isTrue();
        return lease;
    }

    @Test
    void transactionCommitsWhileLeaseIsHeld() {
        Lease lease = locks.tryAcquire("job").orElseThrow();

        write(lease, "done");

        assertThat(written()).isEqualTo("done");
    }

    @Test
    void transactionIsRejectedAfterTakeover() {
        Lease lease = takenOver();

        assertThatThrownBy(() -> write(lease, "late")).isInstanceOf(TransactionCanceledException.class);

        assertThat(written()).isEmpty();
    }

    @Test
    void transactionIsRejectedAfterTakeoverByLaterVersion() {
        Lease lease = locks.tryAcquire("job").orElseThrow();
        client.updateItem(update -> update.tableName(locksTable)
                .key(Map.of("lockName", AttributeValue.fromS("app/job")))
                .updateExpression("SET #format = :later")
                .expressionAttributeNames(Map.of("#format", "format"))
                .expressionAttributeValues(Map.of(":later", AttributeValue.fromN("2"))));

        assertThatThrownBy(() -> write(lease, "late")).isInstanceOf(TransactionCanceledException.class);
        assertThatThrownBy(() -> writeEnhanced(lease, "late")).isInstanceOf(TransactionCanceledException.class);

        assertThat(written()).isEmpty();
    }

    @Test
    void enhancedTransactionBehavesTheSame() {
        Lease held = locks.tryAcquire("other").orElseThrow();
        Lease lease = takenOver();

        writeEnhanced(held, "done");

        assertThat(written()).isEqualTo("done");
        assertThatThrownBy(() -> writeEnhanced(lease, "late")).isInstanceOf(TransactionCanceledException.class);
        assertThat(written()).isEqualTo("done");
    }

    @Test
    void itemWithTokenRejectsSmallerToken() {
        Lease old = locks.tryAcquire("job").orElseThrow();
        put(old, "first");
        rival.forceRelease("job", old.id());
        Lease next = rival.tryAcquire("job").orElseThrow();
        put(next, "second");

        assertThatThrownBy(() -> put(old, "late")).isInstanceOf(ConditionalCheckFailedException.class);

        put(next, "third");
        assertThat(written()).isEqualTo("third");
    }

    @Test
    void lostOrReleasedLeaseIsRejectedImmediately() {
        Lease lost = takenOver();
        assertThatThrownBy(lost::renew).isInstanceOf(LeaseLostException.class);
        Lease released = locks.tryAcquire("released").orElseThrow();
        released.release();

        assertThatThrownBy(() -> Fencing.conditionCheck(lost)).isInstanceOf(LeaseLostException.class);
        assertThatIllegalStateException().isThrownBy(() -> Fencing.conditionCheck(released));
        assertThatThrownBy(() -> Fencing.notFencedOff(lost, "fence")).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void leaseOfAnotherStoreIsRejected() {
        try (LockManager memory = LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ZERO)
                .build()) {
            Lease lease = memory.tryAcquire("job").orElseThrow();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Fencing.conditionCheck(lease))
                    .withMessageContaining("job");
        }
    }

    private Map<String, AttributeValue> item(String text) {
        return Map.of("lockName", AttributeValue.fromS("data"), "text", AttributeValue.fromS(text));
    }

    @Test
    void unlockedLeaseFencesNothing() {
        put(locks.tryAcquire("job").orElseThrow(), "fenced");
        Lease lease = LockManager.unlocked().tryAcquire("job").orElseThrow();

        put(lease, "token 0");
        assertThat(written()).isEqualTo("token 0");
        writeEnhanced(lease, "no check");

        assertThat(written()).isEqualTo("no check");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fencing.conditionCheck(lease))
                .withMessageContaining("locking is off");
    }

    @Test
    void transactionChecksEachOfSeveralLocks() throws InterruptedException {
        Lease all = locks.acquire(LockRequest.ofAll(List.of("one", "two")));
        writeEnhanced(all, "both");
        assertThat(written()).isEqualTo("both");
        locks.forceFree("two");

        assertThatThrownBy(() -> writeEnhanced(all, "late")).isInstanceOf(TransactionCanceledException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fencing.conditionCheck(all))
                .withMessageContaining("leases()");
    }

    private void write(Lease lease, String text) {
        client.transactWriteItems(TransactWriteItemsRequest.builder()
                .transactItems(
                        TransactWriteItem.builder()
                                .conditionCheck(Fencing.conditionCheck(lease))
                                .build(),
                        TransactWriteItem.builder()
                                .put(Put.builder()
                                        .tableName(dataTable)
                                        .item(item(text))
                                        .build())
                                .build())
                .build());
    }

    private void writeEnhanced(Lease lease, String text) {
        DynamoDbEnhancedClient enhanced =
                DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
        TransactWriteItemsEnhancedRequest.Builder transaction = TransactWriteItemsEnhancedRequest.builder()
                .addPutItem(
                        RawItems.documents(enhanced, dataTable), EnhancedDocument.fromAttributeValueMap(item(text)));
        enhanced.transactWriteItems(Fencing.addTo(transaction, lease).build());
    }

    private void put(Lease lease, String text) {
        Expression condition = Fencing.notFencedOff(lease, "fence");
        client.putItem(PutItemRequest.builder()
                .tableName(dataTable)
                .item(Map.of(
                        "lockName", AttributeValue.fromS("data"),
                        "text", AttributeValue.fromS(text),
                        "fence", AttributeValue.fromN(Long.toString(lease.fencingToken()))))
                .conditionExpression(condition.expression())
                .expressionAttributeNames(condition.expressionNames())
                .expressionAttributeValues(condition.expressionValues())
                .build());
    }

    private String written() {
        Map<String, AttributeValue> item = client.getItem(GetItemRequest.builder()
                        .tableName(dataTable)
                        .key(Map.of("lockName", AttributeValue.fromS("data")))
                        .build())
                .item();
        AttributeValue text = item.get("text");
        return text == null ? "" : text.s();
    }
}
