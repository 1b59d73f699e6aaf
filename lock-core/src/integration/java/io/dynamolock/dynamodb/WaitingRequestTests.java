/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.TestRun;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Waits that end during a request. */
class WaitingRequestTests {

    private final String table = LocalDynamoDb.newTable();
    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final LockManager holder = manager(LocalDynamoDb.client(), settings -> settings);
    private final LockRequest request = LockRequest.of("job").waitTime(Duration.ofHours(1));

    private LockManager manager(DynamoDbClient client, UnaryOperator<LockManagerBuilder> settings) {
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(client).tableName(table).build();
        return settings.apply(LockManager.builder(store).shutdownGrace(Duration.ZERO))
                .build();
    }

    /** Creates a manager whose requests do not time out during a test. */
    private LockManager managerWithLongTimeouts() {
        return manager(
                client,
                settings -> settings.leaseDuration(Duration.ofHours(1))
                        .attemptTimeout(Duration.ofMinutes(10))
                        .callTimeout(Duration.ofMinutes(10)));
    }

    @AfterEach
    void close() {
        http.always(Fault.none());
        holder.close();
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetItem", "UpdateItem"})
    void interruptDuringRequestEndsWait(String operation) throws Exception {
        try (LockManager waiter = managerWithLongTimeouts()) {
            Lease held = operation.equals("GetItem") ? holder.tryAcquire("job").orElseThrow() : null;
            CompletableFuture<Void> client = new CompletableFuture<>();
            holdResponsesTo(operation, client);
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread thread = startWaiting(waiter, thrown);
            await().until(() -> http.count(operation) > 0);

            thread.interrupt();

            assertThat(thrown.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(InterruptedException.class);
            assertNothingRemains(waiter, held, client);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GetItem", "UpdateItem"})
    void cancelDuringRequestEndsWait(String operation) {
        try (LockManager waiter = managerWithLongTimeouts()) {
            Lease held = operation.equals("GetItem") ? holder.tryAcquire("job").orElseThrow() : null;
            CompletableFuture<Void> client = new CompletableFuture<>();
            holdResponsesTo(operation, client);
            CompletableFuture<Optional<Lease>> waiting = waiter.tryAcquireAsync(request);
            await().until(() -> http.count(operation) > 0);

            waiting.cancel(true);

            assertThat(waiting).isCancelled();
            assertNothingRemains(waiter, held, client);
        }
    }

    @Test
    void hangingRequestDelaysNoInterrupt() throws Exception {
        try (LockManager waiter = manager(client, settings -> settings)) {
            waiter.inspect("job");
            http.always(Fault.hangAfterwards());
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread thread = startWaiting(waiter, thrown);
            await().until(() -> !isFree());

            thread.interrupt();

            assertThat(thrown.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(InterruptedException.class);
            http.always(Fault.none());
            await().until(this::isFree);
        }
    }

    private Thread startWaiting(LockManager waiter, CompletableFuture<Throwable> thrown) {
        Thread thread = new Thread(() -> {
            try {
                waiter.acquire(request);
            } catch (InterruptedException | RuntimeException expected) {
                thrown.complete(expected);
            }
        });
        thread.start();
        return thread;
    }

    private void holdResponsesTo(String operation, CompletableFuture<Void> client) {
        http.decide(
                attempt -> attempt.isFor(operation) && !client.isDone() ? Fault.holdResponse(client) : Fault.none());
    }

    private void assertNothingRemains(LockManager waiter, @Nullable Lease held, CompletableFuture<Void> client) {
        client.complete(null);
        if (held != null) {
            held.release();
        }
        await().during(Duration.ofMillis(200)).until(this::isFree);
        assertThat(waiter.held()).isEmpty();
    }

    private boolean isFree() {
        return holder.inspect("job").status().equals(LockState.Status.FREE);
    }
}
