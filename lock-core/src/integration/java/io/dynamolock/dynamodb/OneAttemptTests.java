/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** A request about a lock is one attempt, whatever retries the client is configured with. */
class OneAttemptTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());

    static Stream<Named<Consumer<ClientOverrideConfiguration.Builder>>> retrying() {
        return Stream.of(
                Named.of("as the SDK does", override -> {}),
                Named.of("legacy mode", override -> override.retryStrategy(RetryMode.LEGACY)),
                Named.of("standard mode", override -> override.retryStrategy(RetryMode.STANDARD)),
                Named.of("adaptive mode", override -> override.retryStrategy(RetryMode.ADAPTIVE_V2)),
                Named.of("changed strategy", override -> override.retryStrategy(change -> change.maxAttempts(5))),
                Named.of(
                        "own strategy",
                        override -> override.retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(4)
                                .build())),
                Named.of("own policy", OneAttemptTests::policy));
    }

    @ParameterizedTest
    @MethodSource("retrying")
    void everyFailureCausesOneAttempt(Consumer<ClientOverrideConfiguration.Builder> retrying) {
        DynamoDbClient client = client().overrideConfiguration(retrying).build();
        DynamoDbLockStore store = DynamoDbLockStore.builder(client).build();
        List<Fault> faults = List.of(Fault.serverError(), Fault.throttle(), Fault.loseRequest(), OneAttemptTests::fail);

        for (Fault fault : faults) {
            http.always(fault);
            assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> store.revoke("job", "mine", TIMEOUT));
            assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> store.read("job", true, TIMEOUT));
        }

        assertThat(http.count("UpdateItem")).isEqualTo(faults.size());
        assertThat(http.count("GetItem")).isEqualTo(faults.size());
        client.close();
    }

    @Test
    void clientForLocksIsUsedUnchanged() {
        DynamoDbClient forLocks =
                client().addPlugin(DynamoDbLockStore::configureClient).build();
        DynamoDbClient withoutRetries = client().overrideConfiguration(
                        override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .build();

        assertThat(new OneAttempt(forLocks).within(TIMEOUT).plugins()).isEmpty();
        assertThat(new OneAttempt(withoutRetries).within(TIMEOUT).plugins()).hasSize(1);
        assertThat(new OneAttempt(client().build()).within(TIMEOUT).plugins()).hasSize(1);
    }

    @Test
    void clientForLocksKeepsAllSettingsButThoseThatAreReplaced() {
        ExecutionInterceptor own = new ExecutionInterceptor() {};
        Consumer<ClientOverrideConfiguration.Builder> settings =
                override -> override.addExecutionInterceptor(own).apiCallAttemptTimeout(TIMEOUT);
        DynamoDbClient forLocks = client().addPlugin(DynamoDbLockStore::configureClient)
                .overrideConfiguration(settings)
                .build();
        List<String> usual =
                interceptors(client().overrideConfiguration(settings).build());
        String copying = usual.stream()
                .filter(type -> type.endsWith("enhanced.dynamodb.internal.ApplyUserAgentInterceptor"))
                .findFirst()
                .orElseThrow();

        assertThat(interceptors(forLocks))
                .contains(own.getClass().getName())
                .containsExactlyElementsOf(
                        usual.stream().filter(type -> !type.equals(copying)).toList());
        assertThat(overrides(forLocks).apiCallAttemptTimeout()).contains(TIMEOUT);
    }

    private static List<String> interceptors(DynamoDbClient client) {
        return overrides(client).executionInterceptors().stream()
                .map(interceptor -> interceptor.getClass().getName())
                .toList();
    }

    private static ClientOverrideConfiguration overrides(DynamoDbClient client) {
        return client.serviceClientConfiguration().overrideConfiguration();
    }

    @Test
    void timerOfAnApplicationIsUsedOnlyByClientsWithoutRetries() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
        DynamoDbClient retrying = client().overrideConfiguration(override -> override.scheduledExecutorService(timer))
                .build();
        DynamoDbClient once = client().overrideConfiguration(override ->
                        override.retryStrategy(AwsRetryStrategy.doNotRetry()).scheduledExecutorService(timer))
                .build();

        read(retrying);
        assertThat(timer.getTaskCount()).isZero();

        read(once);
        assertThat(timer.getTaskCount()).isPositive();
        timer.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hangingRequestEndsByItsTimeout(boolean forLocks) {
        DynamoDbClientBuilder builder = client();
        DynamoDbClient client = (forLocks ? builder.addPlugin(DynamoDbLockStore::configureClient) : builder).build();
        http.always(Fault.hang());

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> DynamoDbLockStore.builder(client).build().read("job", true, Duration.ofMillis(300)))
                .withMessageEndingWith("failed: no response in time (the last attempt had 300 ms)")
                .withCauseInstanceOf(ApiCallTimeoutException.class);
        client.close();
    }

    static Stream<Named<Function<FaultyHttpClient, DynamoDbClient>>> intercepted() {
        return Stream.of(
                Named.of("shared", http -> FaultyClients.blocking(http, OneAttemptTests::replacing)),
                Named.of(
                        "for locks",
                        http -> FaultyClients.blocking(http, client -> {
                            replacing(client);
                            client.addPlugin(DynamoDbLockStore::configureClient);
                        })),
                Named.of("asynchronous", http -> FaultyClients.asynchronous(http, OneAttemptTests::replacing)),
                Named.of(
                        "asynchronous without retries",
                        http -> FaultyClients.asynchronous(
                                http,
                                client -> client.overrideConfiguration(
                                        override -> override.addExecutionInterceptor(new ReplacingInterceptor())
                                                .retryStrategy(AwsRetryStrategy.doNotRetry())))));
    }

    private static void replacing(AwsClientBuilder<?, ?> client) {
        client.overrideConfiguration(override -> override.addExecutionInterceptor(new ReplacingInterceptor()));
    }

    @ParameterizedTest
    @MethodSource("intercepted")
    void timeoutAppliesIfInterceptorReplacesConfiguration(Function<FaultyHttpClient, DynamoDbClient> clients) {
        http.always(Fault.hang());
        DynamoDbClient client = clients.apply(http);
        DynamoDbLockStore store = DynamoDbLockStore.builder(client).build();

        CompletableFuture<LockStoreException> failure =
                CompletableFuture.supplyAsync(() -> FailedRequests.failureOfRead(store, Duration.ofMillis(300)));

        assertThat(failure).succeedsWithin(TestRun.TIMEOUT);
        assertThat(failure.join()).hasMessageContaining("no response in time");
        assertThat(http.attempts())
                .extracting(attempt -> attempt.request().firstMatchingHeader("X-Team"))
                .containsExactly(Optional.of("billing"));
        client.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void interruptOfRequestThatTimesOutIsNotLost(boolean forLocks) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DynamoDbClient client = clientOf(silent, forLocks)) {
            DynamoDbLockStore store = DynamoDbLockStore.builder(client).build();
            Thread caller = new Thread(() -> {
                do { // a starved client gives up before it sends anything
                    assertThatExceptionOfType(LockStoreException.class)
                            .isThrownBy(() -> store.read("job", true, Duration.ofSeconds(2)));
                } while (!over.get());
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            try {
                Socket connection = acceptRequest(silent);
                caller.interrupt();
                over.set(true);
                caller.join(TIMEOUT.toMillis());
                connection.close();
            } finally {
                over.set(true);
            }
        }

        assertThat(interrupted).isTrue();
    }

    private static DynamoDbClient clientOf(ServerSocket server, boolean forLocks) {
        DynamoDbClientBuilder builder =
                LocalDynamoDb.newClient().endpointOverride(URI.create("http://localhost:" + server.getLocalPort()));
        return (forLocks ? builder.addPlugin(DynamoDbLockStore::configureClient) : builder).build();
    }

    /** Accepts connections until a request arrives, as a client that gives up may leave others without any byte. */
    private static Socket acceptRequest(ServerSocket server) throws IOException {
        server.setSoTimeout(60_000);
        while (true) {
            Socket connection = server.accept();
            if (hasRequest(connection)) {
                return connection;
            }
            connection.close();
        }
    }

    private static boolean hasRequest(Socket connection) {
        try {
            connection.setSoTimeout(60_000);
            return connection.getInputStream().read() >= 0;
        } catch (IOException reset) {
            return false;
        }
    }

    private void read(DynamoDbClient client) {
        http.always(Fault.serverError());
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> DynamoDbLockStore.builder(client).build().read("job", true, TIMEOUT));
        client.close();
    }

    @Test
    void restOfTheClientsConfigurationApplies() {
        AtomicInteger intercepted = new AtomicInteger();
        ExecutionInterceptor interceptor = new ExecutionInterceptor() {
            @Override
            public void beforeExecution(Context.BeforeExecution request, ExecutionAttributes attributes) {
                intercepted.incrementAndGet();
            }
        };
        DynamoDbClient client = client().overrideConfiguration(override ->
                        override.addExecutionInterceptor(interceptor).putHeader("X-Team", "billing"))
                .build();
        http.always(Fault.serverError());

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> DynamoDbLockStore.builder(client).build().read("job", true, TIMEOUT));

        assertThat(intercepted).hasValue(1);
        assertThat(http.attempts())
                .extracting(attempt -> attempt.request().firstMatchingHeader("X-Team"))
                .containsExactly(Optional.of("billing"));
        client.close();
    }

    @Test
    void eachRequestHasItsOwnTimeout() {
        OneAttempt oneAttempt = new OneAttempt(client().build());
        List<Duration> timeouts =
                List.of(Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofMillis(70), Duration.ofSeconds(1));

        assertThat(timeouts)
                .allSatisfy(timeout ->
                        assertThat(oneAttempt.within(timeout).apiCallTimeout()).hasValue(timeout));
    }

    @SuppressWarnings("deprecation") // still used by applications
    private static void policy(ClientOverrideConfiguration.Builder override) {
        override.retryPolicy(RetryPolicy.builder().numRetries(4).build());
    }

    private DynamoDbClientBuilder client() {
        return LocalDynamoDb.newClient().httpClient(http);
    }

    private static HttpExecuteResponse fail(Fault.Exchange exchange) throws IOException {
        throw new IOException("broken pipe: " + exchange.attempt().operation());
    }
}
