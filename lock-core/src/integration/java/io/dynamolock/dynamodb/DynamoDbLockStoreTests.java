/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.LastHold;
import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockStoreContract;
import io.dynamolock.LockWrite;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The contract on DynamoDB Local, and the exact items, which other tools and older versions read and write. */
class DynamoDbLockStoreTests extends LockStoreContract {

    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();
    private static final String TABLE = LocalDynamoDb.newTable();

    private static final String NOW_MILLIS = "4102488000123";
    private static final String END_MILLIS = "4102488030123";
    private static final String TWO_DAYS_AFTER_NOW = "4102660801";
    private static final String TWO_DAYS_AFTER_END = "4102660831";

    private final DynamoDbLockStore store = onTable(DynamoDbLockStore.builder(CLIENT));

    static DynamoDbLockStore onTable(DynamoDbLockStoreBuilder store) {
        return store.tableName(TABLE).build();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void acquireWritesThisItem() {
        acquireWithMetadata();

        assertThat(item()).isEqualTo(heldItem());
    }

    @Test
    void acquireWithoutMetadataWritesNone() {
        acquireWithMetadata();

        acquire("next", 8, new Unchanged("mine", 0L));

        assertThat(item()).doesNotContainKey("metadata");
    }

    @Test
    void renewalWritesThisItem() {
        acquireWithMetadata();

        renew("mine", 1, END.plusMillis(877));

        Map<String, AttributeValue> expected = heldItem();
        expected.put("renewals", fromN("1"));
        expected.put("expiresAt", fromN("4102488031000"));
        expected.put("ttl", fromN("4102660831"));
        assertThat(item()).isEqualTo(expected);
    }

    @Test
    void ttlFollowsStoreTimeOnEveryClock() {
        Instant wrong = NOW.minus(Duration.ofDays(700));

        store.acquire(
                new Acquire(
                        name(),
                        "mine",
                        "me",
                        7,
                        LEASE,
                        wrong,
                        wrong,
                        LeaseTime.OBSERVED,
                        Map.of(),
                        new Free(),
                        END,
                        LockWrite.NO_CLAIM),
                TIMEOUT);
        assertThat(item()).containsEntry("ttl", fromN(TWO_DAYS_AFTER_END));

        store.renew(new Renew(name(), "mine", 1, LEASE, wrong, LeaseTime.OBSERVED, NOW, false), TIMEOUT);
        assertThat(item()).containsEntry("ttl", fromN(TWO_DAYS_AFTER_NOW));
    }

    @Test
    void unknownStoreTimeRemovesOldTtl() {
        Rest rest = Writes.rest(LEASE, END, LeaseTime.OBSERVED);
        List<Runnable> writes = List.of(
                () -> store.acquire(observed(Map.of(), 8), TIMEOUT),
                () -> store.renew(Writes.renew(name(), "mine", 1, LEASE, END, LeaseTime.OBSERVED), TIMEOUT),
                () -> store.release(new Release(name(), "mine", null, rest), TIMEOUT),
                () -> store.release(new Release(name(), "mine", null, null), TIMEOUT),
                () -> store.acquire(observed(Map.of("job", "42"), 9), TIMEOUT));

        for (Runnable write : writes) {
            put("ttl", fromN("1"));
            write.run();
            assertThat(item()).doesNotContainKey("ttl");
        }
    }

    @Test
    void floorHasNoTtlIfStoreTimeIsUnknown() {
        store.raiseFloor(new RaiseFloor(name(), "lost", 7, null), TIMEOUT);

        assertThat(item()).containsOnlyKeys("lockName", "tokenFloor");
    }

    private Acquire observed(Map<String, String> metadata, long token) {
        return Writes.acquire(name(), "mine", "me", token, LEASE, NOW, END, LeaseTime.OBSERVED, metadata, new Free());
    }

    @Test
    void revocationAddsOnlyItsMark() {
        acquireWithMetadata();

        revoke("mine");

        Map<String, AttributeValue> expected = heldItem();
        expected.put("revoked", fromBool(true));
        assertThat(item()).isEqualTo(expected);
    }

    @Test
    void releaseLeavesThisItem() {
        acquireWithMetadata();
        revoke("mine");

        release("mine");

        assertThat(item())
                .isEqualTo(Map.of(
                        "lockName", fromS(name()),
                        "lastLeaseId", fromS("mine"),
                        "fencingToken", fromN("7"),
                        "tokenFloor", fromN("7"),
                        "ttl", fromN(TWO_DAYS_AFTER_NOW)));
    }

    @Test
    void recordingReleaseLeavesThisItem() {
        acquireWithMetadata();

        store().release(
                        new Release(name(), "mine", NOW, null, new LastHold("me", NOW, Duration.ofMillis(5), true)),
                        TIMEOUT);

        assertThat(item())
                .isEqualTo(Map.of(
                        "lockName", fromS(name()),
                        "lastLeaseId", fromS("mine"),
                        "lastOwner", fromS("me"),
                        "lastEndedAt", fromN("4102488000123"),
                        "lastHeldMillis", fromN("5"),
                        "lastFailed", fromBool(true),
                        "fencingToken", fromN("7"),
                        "tokenFloor", fromN("7"),
                        "ttl", fromN(TWO_DAYS_AFTER_NOW)));
    }

    @Test
    void minHoldReleaseLeavesThisItem() {
        acquireWithMetadata();

        rest("mine", END.plusSeconds(10));

        Map<String, AttributeValue> expected = heldItem();
        expected.put("renewals", fromN("9000000000000000"));
        expected.put("leaseMillis", fromN("40000"));
        expected.put("expiresAt", fromN("4102488040123"));
        expected.put("ttl", fromN("4102660841"));
        expected.put("lastLeaseId", fromS("mine"));
        assertThat(item()).isEqualTo(expected);
    }

    @Test
    void releaseForEverLeavesThisItem() {
        acquireWithMetadata();

        rest("mine", NOW.plus(Duration.ofDays(36_500)));

        Map<String, AttributeValue> expected = heldItem();
        expected.put("renewals", fromN("9000000000000000"));
        expected.put("leaseMillis", fromN("3153600000000"));
        expected.put("expiresAt", fromN("7256088000123"));
        expected.put("ttl", fromN("7256260801"));
        expected.put("lastLeaseId", fromS("mine"));
        assertThat(item()).isEqualTo(expected);
    }

    @Test
    void floorWithoutRowWritesThisItem() {
        raiseFloor("mine", 7);

        assertThat(item())
                .isEqualTo(
                        Map.of("lockName", fromS(name()), "tokenFloor", fromN("7"), "ttl", fromN(TWO_DAYS_AFTER_NOW)));
    }

    @Test
    void floorUnderHolderDoesNotShortenTtl() {
        acquireWithMetadata();

        raiseFloor("theirs", 9);

        Map<String, AttributeValue> expected = heldItem();
        expected.put("tokenFloor", fromN("9"));
        assertThat(item()).isEqualTo(expected);
    }

    @Test
    void foreignAttributesAreKept() {
        raiseFloor("others", 1);
        put("note", fromS("do not touch"));

        acquireWithMetadata();
        renew("mine", 1, END);
        revoke("mine");
        rest("mine", END);
        release("mine");
        raiseFloor("mine", 9);

        assertThat(item()).containsEntry("note", fromS("do not touch"));
    }

    @Test
    void rowWithoutRenewalNumberIsTakenOverByObservation() {
        acquireWithMetadata();
        remove("renewals");

        Response numbered = acquire("next", 8, new Unchanged("mine", 0L));
        Response unnumbered = acquire("next", 8, new Unchanged("mine", null));

        assertThat(numbered.applied()).isFalse();
        assertThat(unnumbered.applied()).isTrue();
    }

    @Test
    void leaseIdOfWrongTypePreventsAcquire() {
        put("leaseId", fromN("7"));

        Response response = acquire("mine", 8, new Free());

        assertThat(response.applied()).isFalse();
        assertThat(existingRow().defects()).containsExactly("leaseId");
    }

    private void acquireWithMetadata() {
        Map<String, String> metadata = Map.of("job", "42");
        store.acquire(
                Writes.acquire(name(), "mine", "me", 7, LEASE, NOW, END, LeaseTime.SERVER, metadata, new Free()),
                TIMEOUT);
    }

    private Map<String, AttributeValue> heldItem() {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("lockName", fromS(name()));
        item.put("leaseId", fromS("mine"));
        item.put("owner", fromS("me"));
        item.put("fencingToken", fromN("7"));
        item.put("tokenFloor", fromN("7"));
        item.put("leaseMillis", fromN("30000"));
        item.put("expiresAt", fromN(END_MILLIS));
        item.put("clock", fromS("D"));
        item.put("renewals", fromN("0"));
        item.put("acquiredAt", fromN(NOW_MILLIS));
        item.put("metadata", fromM(Map.of("job", fromS("42"))));
        item.put("ttl", fromN(TWO_DAYS_AFTER_END));
        return item;
    }

    private Map<String, AttributeValue> item() {
        return CLIENT.getItem(get -> get.tableName(TABLE).key(key()).consistentRead(true))
                .item();
    }

    private void put(String attribute, AttributeValue value) {
        CLIENT.updateItem(update -> update.tableName(TABLE)
                .key(key())
                .updateExpression("SET #a = :a")
                .expressionAttributeNames(Map.of("#a", attribute))
                .expressionAttributeValues(Map.of(":a", value)));
    }

    private void remove(String attribute) {
        CLIENT.updateItem(update -> update.tableName(TABLE)
                .key(key())
                .updateExpression("REMOVE #a")
                .expressionAttributeNames(Map.of("#a", attribute)));
    }

    private Map<String, AttributeValue> key() {
        return Map.of("lockName", fromS(name()));
    }
}
