/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a manager leaves alone in the table. */
class ManagerRowTests {

    private static final LockRequest MORTAL = LockRequest.of("job").autoRenew(false);

    private final StandingTime time = new StandingTime();
    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(table, time::rule);
    private final DynamoDbNode rival = DynamoDbNode.on(table, time::rule);

    @AfterEach
    void close() {
        node.close();
        rival.close();
    }

    @Test
    void aLateReleaseLeavesTheSuccessorsItemUnchanged() throws InterruptedException {
        Lease late = node.locks.acquire(MORTAL);
        time.pass(Duration.ofMinutes(1));
        rival.take("job");
        Map<String, AttributeValue> before = items.item("job");
        node.http.forget();

        ReleaseOutcome outcome = late.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.NOT_OWNED);
        assertThat(node.requests()).containsExactly("UpdateItem");
        assertThat(items.item("job")).isEqualTo(before);
    }

    @Test
    void aLateCloseAndALateRenewalLeaveTheSuccessorsItemUnchanged() throws InterruptedException {
        Lease late = node.locks.acquire(MORTAL);
        time.pass(Duration.ofMinutes(1));
        rival.take("job");
        Map<String, AttributeValue> before = items.item("job");

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(late::renew);
        late.close();

        assertThat(items.item("job")).isEqualTo(before);
    }

    @Test
    void aReleaseCreatesNoItem() {
        Lease lease = node.take("job");
        items.delete("job");
        node.http.forget();

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        assertThat(node.requests()).containsExactly("UpdateItem");
        assertThat(items.item("job")).isEmpty();
    }

    @Test
    void aReleaseIntoAMinimumHoldCreatesNoItem() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofHours(1)));
        items.delete("job");

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        assertThat(items.item("job")).isEmpty();
    }

    @Test
    void aRenewalCreatesNoItem() {
        Lease lease = node.take("job");
        items.delete("job");
        node.http.forget();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::renew);

        assertThat(node.requests()).containsExactly("UpdateItem");
        assertThat(items.item("job")).isEmpty();
    }

    @Test
    void aHeartbeatCreatesNoItemAndTellsThatItWasDeleted() {
        try (DynamoDbNode beating =
                DynamoDbNode.on(table, settings -> settings.heartbeatInterval(Duration.ofMillis(50)))) {
            beating.take("job");

            items.delete("job");

            await().until(() -> !beating.told.losses.isEmpty());
            assertThat(beating.told.losses).extracting(LeaseLost::reason).containsExactly(LeaseLost.Reason.DELETED);
            assertThat(items.item("job")).isEmpty();
        }
    }

    @Test
    void revokingAndInspectingCreateNoItem() {
        assertThat(node.locks.revoke("job", "nobodys")).isFalse();
        assertThat(node.locks.forceRelease("job", "nobodys")).isFalse();
        node.locks.inspect("job");

        assertThat(items.item("job")).isEmpty();
    }

    @Test
    void attributesOfOthersSurviveEverything() throws InterruptedException {
        Map<String, AttributeValue> theirs = Map.of(
                "note", fromS("do not touch"),
                "priority", fromN("7"),
                "status", fromBool(true));
        items.add("job", theirs);

        Lease first = node.locks.acquire(MORTAL);
        assertThat(items.item("job")).containsAllEntriesOf(theirs);
        first.renew();
        assertThat(items.item("job")).containsAllEntriesOf(theirs);
        time.pass(Duration.ofMinutes(1));
        Lease second = rival.take("job");
        assertThat(items.item("job")).containsAllEntriesOf(theirs);
        second.release();

        assertThat(items.item("job")).containsAllEntriesOf(theirs);
    }
}
