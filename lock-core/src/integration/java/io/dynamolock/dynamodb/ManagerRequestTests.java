/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Number of requests of each operation, counted under the SDK. */
@Timeout(120) // frozen time ends no wait
class ManagerRequestTests {

    private static final Duration A_WHILE = Duration.ofMillis(200);

    private final String table = LocalDynamoDb.newTable();
    private final DynamoDbNode node = DynamoDbNode.on(table);
    private final DynamoDbNode rival = DynamoDbNode.on(table);

    @AfterEach
    void close() {
        node.close();
        rival.close();
    }

    @Test
    void acquireOfFreeLockIsOneRequest() {
        assertThat(node.locks.tryAcquire("job")).isPresent();

        assertThat(node.requests()).containsExactly("UpdateItem");
    }

    @Test
    void rejectedAttemptIsOneRequest() {
        node.take("job");

        assertThat(rival.locks.tryAcquire("job")).isEmpty();

        assertThat(rival.requests()).containsExactly("UpdateItem");
    }

    @Test
    void renewalIsOneRequest() {
        Lease lease = node.take("job");
        node.http.forget();

        lease.renew();

        assertThat(node.requests()).containsExactly("UpdateItem");
    }

    @Test
    void releaseIsOneRequestAndSecondReleaseNone() {
        Lease lease = node.take("job");
        node.http.forget();

        lease.release();
        lease.release();
        lease.close();

        assertThat(node.requests()).containsExactly("UpdateItem");
    }

    @Test
    void reentrantAcquireIsNoRequestAndLastCloseIsOne() throws InterruptedException {
        LockRequest request = LockRequest.of("job").reentrant(true);
        Lease outer = node.locks.acquire(request);
        node.http.forget();

        Lease inner = node.locks.acquire(request);
        inner.close();
        assertThat(node.requests()).isEmpty();

        outer.close();
        assertThat(node.requests()).containsExactly("UpdateItem");
    }

    @Test
    void takeoverOfExpiredLeaseIsOneRequest() throws InterruptedException {
        ManualTime time = new ManualTime(Instant.now());
        try (DynamoDbNode dead = DynamoDbNode.on(table, time::applyTo);
                DynamoDbNode next = DynamoDbNode.on(table, time::applyTo)) {
            dead.locks.acquire(LockRequest.of("job").autoRenew(false));
            time.pass(Duration.ofMinutes(1));

            assertThat(next.locks.tryAcquire("job")).isPresent();

            assertThat(next.requests()).containsExactly("UpdateItem");
        }
    }

    @Test
    void idleManagerSendsNothing() {
        Lease held = node.take("long");
        node.take("done").release();
        node.http.forget();

        await().during(A_WHILE).until(() -> node.requests().isEmpty());

        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void waiterUsesCheapReadsAndAtMostTwoWrites() throws InterruptedException {
        node.take("job");

        rival.locks.tryAcquire(LockRequest.of("job").waitTime(Duration.ofSeconds(1)));

        assertThat(rival.http.count("UpdateItem")).isBetween(1, 2);
        assertThat(rival.http.attempts("GetItem"))
                .isNotEmpty()
                .noneMatch(read -> read.body().contains("\"ConsistentRead\":true"));
    }
}
