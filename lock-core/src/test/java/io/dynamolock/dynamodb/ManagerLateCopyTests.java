/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A copy of an old write that arrives now changes nothing. */
class ManagerLateCopyTests {

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
    void ofAnAcquireWhileItsLeaseIsHeldAndRenewed() {
        Lease lease = node.take("job");
        Attempt acquire = lastAttempt();
        time.pass(Duration.ofSeconds(10));
        lease.renew();

        assertThatItDoesNothing(acquire);
    }

    @Test
    void ofAnAcquireAfterItsRelease() {
        Lease lease = node.take("job");
        Attempt acquire = lastAttempt();
        lease.release();

        assertThatItDoesNothing(acquire);
    }

    @Test
    void ofAnAcquireAfterOthersCameAndWent() {
        node.take("job").release();
        Attempt acquire = node.http.attempts("UpdateItem").get(0);
        for (int i = 0; i < 3; i++) {
            rival.take("job").release();
        }

        assertThatItDoesNothing(acquire);
    }

    @Test
    void ofAnAcquireWhileAnotherHoldsTheLock() {
        node.take("job").release();
        Attempt acquire = node.http.attempts("UpdateItem").get(0);
        Lease theirs = rival.take("job");

        assertThatItDoesNothing(acquire);
        assertThat(theirs.isHeld()).isTrue();
    }

    @Test
    void ofAnAcquireWhenEverybodyHasRunOut() throws InterruptedException {
        LockRequest mortal = LockRequest.of("job").autoRenew(false);
        node.locks.acquire(mortal);
        Attempt acquire = lastAttempt();
        time.pass(Duration.ofMinutes(1));
        rival.locks.acquire(mortal);
        time.pass(Duration.ofMinutes(1));

        assertThatItDoesNothing(acquire);
    }

    @Test
    void ofARenewalAfterAnotherOne() {
        Lease lease = node.take("job");
        lease.renew();
        Attempt renewal = lastAttempt();
        time.pass(Duration.ofSeconds(10));
        lease.renew();

        assertThatItDoesNothing(renewal);
    }

    @Test
    void ofALongRenewalAfterAShorterOne() {
        Lease lease = node.take("job");
        lease.renew(Duration.ofMinutes(30));
        Attempt renewal = lastAttempt();
        lease.renew(Duration.ofSeconds(1));

        assertThatItDoesNothing(renewal);
    }

    @Test
    void ofARenewalAfterTheRelease() {
        Lease lease = node.take("job");
        lease.renew();
        Attempt renewal = lastAttempt();
        lease.release();

        assertThatItDoesNothing(renewal);
    }

    @Test
    void ofARenewalInAMinimumHold() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofSeconds(5)));
        lease.renew(Duration.ofMinutes(30));
        Attempt renewal = lastAttempt();
        lease.release();

        assertThatItDoesNothing(renewal);
        time.pass(Duration.ofSeconds(7));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void ofARenewalAfterATakeover() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        lease.renew();
        Attempt renewal = lastAttempt();
        time.pass(Duration.ofMinutes(1));
        rival.take("job");

        assertThatItDoesNothing(renewal);
    }

    @Test
    void ofAReleaseWhileAnotherHoldsTheLock() {
        Lease lease = node.take("job");
        lease.release();
        Attempt release = lastAttempt();
        rival.take("job");

        assertThatItDoesNothing(release);
    }

    private Attempt lastAttempt() {
        var attempts = node.http.attempts("UpdateItem");
        return attempts.get(attempts.size() - 1);
    }

    private void assertThatItDoesNothing(Attempt late) {
        Map<String, AttributeValue> before = items.item("job");

        int status = node.http.sendAgain(late);

        assertThat(status).as("a refused condition").isEqualTo(400);
        assertThat(items.item("job")).isEqualTo(before);
    }
}
