/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.StoredLock;
import io.dynamolock.TestRun;
import io.dynamolock.dynamodb.dax.AsyncAcceleratorClient;
import java.lang.reflect.Proxy;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A store on an asynchronous client behaves like one on a synchronous client. */
class AsyncClientTests {

    private static final DynamoDbAsyncClient CLIENT = LocalDynamoDb.newAsyncClient()
            .httpClientBuilder(NettyNioAsyncHttpClient.builder())
            .build();

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @Test
    void locksOnNewTable() throws Exception {
        DynamoDbLockStore store = DynamoDbLockStore.builder(CLIENT)
                .tableName(LocalDynamoDb.newTableName())
                .build();
        store.table().createIfMissing(Duration.ofMinutes(1));
        store.table().validate();

        try (LockManager locks = LockManager.builder(store)
                .timeSample(store.table().timeSample())
                .build()) {
            Lease lease = locks.acquire("job");
            assertThat(lease.renew()).isNotNull();
            assertThat(locks.tryAcquire("job")).isEmpty();
            assertThat(store.table().locks()).extracting(StoredLock::storedName).containsExactly("job");
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(store.table().describe().ttlStatus()).isEqualTo("ENABLED");
        assertThat(store.table().clientConnections()).hasValue(50);
        assertThat(store.describe()).contains(LocalDynamoDb.REGION.id());
    }

    @Test
    void exhaustedConnectionPoolNamesTheRemedy() throws Exception {
        try (StallingFront front = StallingFront.forRequestsWith("stuck");
                DynamoDbAsyncClient narrow = LocalDynamoDb.newAsyncClient()
                        .endpointOverride(front.endpoint())
                        .httpClientBuilder(NettyNioAsyncHttpClient.builder()
                                .maxConcurrency(1)
                                .connectionAcquisitionTimeout(Duration.ofSeconds(2)))
                        .build()) {
            DynamoDbLockStore store =
                    DynamoDbLockStore.builder(narrow).tableName("locks").build();
            Thread stuck = new Thread(() -> {
                var unused = FailedRequests.failureOfRead(stuckStore(narrow), Duration.ofSeconds(10));
            });
            stuck.start();
            await().until(() -> front.stalled() == 1);

            LockStoreException failure = FailedRequests.failureOfAcquire(store, Duration.ofSeconds(10));

            FailedRequests.assertKind(failure, false, true);
            assertThat(failure).hasMessageContaining("no free connection");
            front.heal();
            stuck.join();
        }
    }

    private static DynamoDbLockStore stuckStore(DynamoDbAsyncClient client) {
        return DynamoDbLockStore.builder(client).tableName("stuck").build();
    }

    @Test
    void refusedConnectionIsNeverSent() {
        try (DynamoDbAsyncClient nowhere = LocalDynamoDb.newAsyncClient()
                .endpointOverride(URI.create("http://localhost:1"))
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .build()) {
            DynamoDbLockStore store =
                    DynamoDbLockStore.builder(nowhere).tableName("locks").build();

            LockStoreException failure = FailedRequests.failureOfAcquire(store, Duration.ofSeconds(10));

            FailedRequests.assertKind(failure, false, true);
            assertThat(failure).hasMessageContaining("cannot be reached");
        }
    }

    @Test
    void unresponsiveServerEndsWithTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0);
                DynamoDbAsyncClient waiting = LocalDynamoDb.newAsyncClient()
                        .endpointOverride(URI.create("http://localhost:" + silent.getLocalPort()))
                        .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                        .build()) {
            DynamoDbLockStore store =
                    DynamoDbLockStore.builder(waiting).tableName("locks").build();

            LockStoreException failure = FailedRequests.failureOfAcquire(store, Duration.ofMillis(200));

            FailedRequests.assertKind(failure, true, true);
            assertThat(failure).hasMessageContaining("no response in time");
        }
    }

    @Test
    void interruptedCallerReturnsImmediately() {
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
        http.always(exchange -> {
            underWay.complete(null);
            return Fault.hang().on(exchange);
        });
        DynamoDbClient client = FaultyClients.asynchronous(http, options -> {});
        DynamoDbLockStore store = DynamoDbLockStore.builder(client).build();
        CompletableFuture<LockStoreException> failure = new CompletableFuture<>();
        Thread caller = new Thread(() -> failure.complete(FailedRequests.failureOfAcquire(store, Duration.ofHours(1))));
        caller.start();
        assertThat(underWay).succeedsWithin(TestRun.TIMEOUT);

        caller.interrupt();

        assertThat(failure).succeedsWithin(TestRun.TIMEOUT);
        FailedRequests.assertKind(failure.join(), true, false);
        client.close();
    }

    @Test
    void interruptBeforeRequestIsSentKeepsNoLockTaken() {
        AtomicBoolean interrupts = new AtomicBoolean();
        try (DynamoDbAsyncClient client = LocalDynamoDb.newAsyncClient()
                .httpClientBuilder(NettyNioAsyncHttpClient.builder())
                .overrideConfiguration(override -> override.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
                        if (interrupts.getAndSet(false)) {
                            Thread.currentThread().interrupt();
                        }
                    }
                }))
                .build()) {
            DynamoDbLockStore store = DynamoDbLockStore.builder(client)
                    .tableName(LocalDynamoDb.newTable())
                    .build();
            LockManager locks = LockManager.builder(store).build();
            Lease lease = locks.tryAcquire("job").orElseThrow();
            interrupts.set(true);

            ReleaseOutcome outcome = lease.release();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
            locks.close();
        }
    }

    @Test
    void errorOfClientIsThrown() {
        DynamoDbAsyncClient broken = (DynamoDbAsyncClient) Proxy.newProxyInstance(
                DynamoDbAsyncClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbAsyncClient.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getItem" -> CompletableFuture.failedFuture(new StackOverflowError());
                    case "serviceClientConfiguration" -> throw new UnsupportedOperationException();
                    default -> throw new AssertionError(method);
                });
        DynamoDbLockStore store = DynamoDbLockStore.builder(broken).build();

        assertThatThrownBy(() -> store.read("job", true, Duration.ofSeconds(1))).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void daxClientIsRejected() {
        DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(new AsyncAcceleratorClient() {});

        assertThatIllegalArgumentException().isThrownBy(store::build).withMessageContaining("AcceleratorClient");
    }

    @Nested
    class Contract extends DynamoDbLockStoreTests {

        @Override
        public LockStore store() {
            return onTable(DynamoDbLockStore.builder(CLIENT));
        }
    }

    @Nested
    class Requests extends StoreRequestTests {

        @Override
        DynamoDbClient newClient(Consumer<AwsClientBuilder<?, ?>> options) {
            return FaultyClients.asynchronous(http, options);
        }
    }

    @Nested
    class Failures extends StoreFailureTests {

        @Override
        DynamoDbClient newClient(Consumer<AwsClientBuilder<?, ?>> options) {
            return FaultyClients.asynchronous(http, options);
        }
    }

    @Nested
    class Outages extends StoreOutageTests {

        @Override
        DynamoDbClient newClient(Consumer<AwsClientBuilder<?, ?>> options) {
            return FaultyClients.asynchronous(http, options);
        }

        @Override
        DynamoDbClient newClientWithOwnConnections() {
            return newClient(options -> {}); // it is the SDK's timer that is closed here
        }
    }
}
