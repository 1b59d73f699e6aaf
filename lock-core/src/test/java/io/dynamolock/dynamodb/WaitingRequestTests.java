/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What waiting costs, and how it ends in the middle of a request. A minute takes three seconds here. */
class WaitingRequestTests {

    private static final Duration MINUTE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final String table = LocalDynamoDb.newTable();
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final LockManager holder = manager(LocalDynamoDb.client());
    private final LockManager waiter = manager(client);
    private final LockRequest request = LockRequest.of("job").waitTime(MINUTE);

    private LockManager manager(DynamoDbClient client) {
        return LockManager.builder(
                        DynamoDbLockStore.builder(client).tableName(table).build())
                .pollMin(Duration.ofMillis(3))
                .pollMax(Duration.ofMillis(50))
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        http.always(Fault.none());
        waiter.close();
        holder.close();
        client.close();
    }

    @Test
    void aMinutesWaitCostsEightyCheapReadsAndTwoWritesAtMost() throws InterruptedException {
        try (Lease held = holder.tryAcquire("job").orElseThrow()) {
            Optional<Lease> lease = waiter.tryAcquire(request);

            assertThat(held.isHeld()).isTrue();
            assertThat(lease).isEmpty();
            assertCostsOfOneWaiter();
        }
    }

    @Test
    void manyWaitersCostNoMoreThanOne() throws Exception {
        try (Lease held = holder.tryAcquire("job").orElseThrow()) {
            List<CompletableFuture<Optional<Lease>>> waiting = new ArrayList<>();
            waiting.add(waiter.tryAcquireAsync(request));
            await().until(() -> http.count("GetItem") > 0);
            for (int i = 0; i < 30; i++) {
                waiting.add(waiter.tryAcquireAsync(request));
            }

            for (CompletableFuture<Optional<Lease>> one : waiting) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isEmpty();
            }
            assertThat(held.isHeld()).isTrue();
            assertCostsOfOneWaiter();
        }
    }

    private void assertCostsOfOneWaiter() {
        assertThat(http.count("GetItem")).isBetween(20, 80);
        assertThat(http.attempts("GetItem")).noneMatch(read -> read.body().contains("\"ConsistentRead\":true"));
        assertThat(http.count("UpdateItem")).isBetween(1, 2);
        assertThat(http.attempts()).hasSize(http.count("GetItem") + http.count("UpdateItem"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetItem", "UpdateItem"})
    void anInterruptEndsAWaitInMidRequest(String operation) throws Exception {
        Lease held = operation.equals("GetItem") ? holder.tryAcquire("job").orElseThrow() : null;
        CompletableFuture<Void> gate = new CompletableFuture<>();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        holdAnswersTo(operation, gate);
        Thread thread = new Thread(() -> {
            try {
                waiter.acquire(request);
            } catch (InterruptedException | RuntimeException expected) {
                thrown.complete(expected);
            }
        });
        thread.start();
        await().until(() -> http.count(operation) > 0);

        long interrupted = System.nanoTime();
        thread.interrupt();

        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - interrupted)).isLessThan(SOON);
        assertNothingStays(held, gate);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetItem", "UpdateItem"})
    void aCancellationEndsAWaitInMidRequest(String operation) {
        Lease held = operation.equals("GetItem") ? holder.tryAcquire("job").orElseThrow() : null;
        CompletableFuture<Void> gate = new CompletableFuture<>();
        holdAnswersTo(operation, gate);
        CompletableFuture<Optional<Lease>> waiting = waiter.tryAcquireAsync(request);
        await().until(() -> http.count(operation) > 0);

        long cancelled = System.nanoTime();
        waiting.cancel(true);

        assertThat(waiting).isCancelled();
        assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).isLessThan(SOON);
        assertNothingStays(held, gate);
    }

    @Test
    void aRequestThatHangsForEverHoldsNobody() throws Exception {
        waiter.inspect("job");
        http.always(Fault.hangAfterwards());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                waiter.acquire(request);
            } catch (InterruptedException | RuntimeException expected) {
                thrown.complete(expected);
            }
        });
        thread.start();
        await().until(() -> !holder.inspect("job").status().equals(LockState.Status.FREE));

        thread.interrupt();

        assertThat(thrown.get(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        http.always(Fault.none());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> holder.inspect("job").status().equals(LockState.Status.FREE));
    }

    private void holdAnswersTo(String operation, CompletableFuture<Void> gate) {
        http.decide(attempt -> attempt.isFor(operation) && !gate.isDone() ? Fault.holdAnswer(gate) : Fault.none());
    }

    private void assertNothingStays(@Nullable Lease held, CompletableFuture<Void> gate) {
        gate.complete(null);
        if (held != null) {
            held.release();
        }
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(10))
                .until(() -> holder.inspect("job").status().equals(LockState.Status.FREE));
        assertThat(waiter.held()).isEmpty();
    }
}
