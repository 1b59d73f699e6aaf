/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes whose responses were lost. */
class ManagerLostResponseTests {

    private static final int ATTEMPTS = 3;

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(
            table,
            settings -> settings.leaseDuration(Duration.ofMinutes(10))
                    .attemptTimeout(Duration.ofSeconds(10))
                    .retryPolicy(RetryPolicy.exponential(ATTEMPTS, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0)));
    private final DynamoDbNode rival = DynamoDbNode.on(table);

    @AfterEach
    void close() {
        node.close();
        rival.close();
    }

    @Test
    void acquireWithLostResponseIsRecognizedByFirstRetry() {
        node.http.next(Fault.loseResponse());

        Lease lease = node.locks.tryAcquire("job").orElseThrow();

        List<Attempt> attempts = node.http.attempts();
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(1).body()).isEqualTo(attempts.get(0).body());
        assertThat(items.text("job", "leaseId")).isEqualTo(lease.id());
        assertThat(items.text("job", "fencingToken")).isEqualTo(Long.toString(lease.fencingToken()));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void delayedCopyOfUndoneAcquireIsRejected() {
        node.http.next(Fault.loseRequest(), Fault.loseRequest(), Fault.loseRequest());
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> node.locks.tryAcquire("job"));
        Attempt late = node.http.attempts("UpdateItem").get(0);
        await().until(() -> !items.text("job", "tokenFloor").isEmpty());
        Map<String, AttributeValue> before = items.item("job");

        int status = node.http.resend(late);

        assertThat(status).isEqualTo(400);
        assertThat(items.item("job")).isEqualTo(before);
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void releaseWithLostResponseIsReleased() {
        Lease lease = node.take("job");
        node.http.forget();
        node.http.next(Fault.loseResponse());

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(node.events.failedReleases).isEmpty();
        assertThat(items.isFree("job")).isTrue();
    }

    @Test
    void renewalWithLostResponseIsRecognized() {
        Lease lease = node.take("job");
        Instant before = lease.expiresAt();
        node.http.forget();
        node.http.next(Fault.loseResponse());

        Instant end = lease.renew(Duration.ofMinutes(20));

        assertThat(end).isAfter(before.plusSeconds(300));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(items.text("job", "renewals")).isEqualTo("1");
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(node.events.losses).isEmpty();
    }
}
