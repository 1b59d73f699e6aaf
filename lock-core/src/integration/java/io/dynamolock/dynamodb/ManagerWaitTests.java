/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.TestRun;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ends of waits, observed on the wire. */
class ManagerWaitTests {

    private static final LockRequest PATIENT = LockRequest.of("job").waitTime(Duration.ofHours(1));

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode holder = DynamoDbNode.on(table);
    private final DynamoDbNode node = DynamoDbNode.on(table);

    @AfterEach
    void close() {
        holder.close();
        node.close();
    }

    @Test
    void managerCloseEndsItsWaits() {
        holder.take("job");
        List<CompletableFuture<Lease>> waiters = List.of(waiter(node), waiter(node), waiter(node));
        CompletableFuture<Optional<Lease>> future = node.locks.tryAcquireAsync(PATIENT);
        await().until(() -> node.http.count("GetItem") > 0);

        node.locks.close();

        for (CompletableFuture<Lease> waiter : waiters) {
            assertEndsClosed(waiter);
        }
        assertEndsClosed(future);
    }

    @Test
    void closedManagerSendsNothing() {
        node.locks.close();

        assertThatIllegalStateException().isThrownBy(() -> node.locks.tryAcquire("job"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.acquire(PATIENT));
        assertThat(node.locks.tryAcquireAsync(PATIENT))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
        assertThatIllegalStateException().isThrownBy(() -> node.locks.inspect("job"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.revoke("job", "id"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.forceRelease("job", "id"));
        assertThat(node.requests()).isEmpty();
    }

    @Test
    void waiterInterruptedDuringRequestLeavesNoRow() throws Exception {
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        node.http.next(exchange -> {
            exchange.send().responseBody().orElseThrow().close();
            underWay.complete(null);
            return Fault.hang().on(exchange);
        });
        CompletableFuture<Optional<Lease>> result = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                result.complete(node.locks.tryAcquire(PATIENT));
            } catch (InterruptedException | RuntimeException failure) {
                result.completeExceptionally(failure);
            }
        });

        waiter.start();
        underWay.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        waiter.interrupt();

        ExecutionException failure = catchThrowableOfType(
                ExecutionException.class, () -> result.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        assertThat(failure).hasCauseInstanceOf(InterruptedException.class);
        await().until(() -> items.isFree("job"));
        assertThat(node.locks.held()).isEmpty();
    }

    private static CompletableFuture<Lease> waiter(DynamoDbNode node) {
        CompletableFuture<Lease> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                Lease lease = node.locks.acquire(PATIENT);
                lease.release();
                result.complete(lease);
            } catch (InterruptedException | RuntimeException failure) {
                result.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void assertEndsClosed(CompletableFuture<?> waiter) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> waiter.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .withCauseInstanceOf(IllegalStateException.class);
    }
}
