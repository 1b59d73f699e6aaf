/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static io.dynamolock.dynamodb.FailedRequests.assertKind;
import static io.dynamolock.dynamodb.FailedRequests.failureOfAcquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockStoreException;
import io.dynamolock.TestRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.crt.http.HttpException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Exceptions of unanswered requests. */
class StoreOutageTests extends FailingStore {

    @Test
    void brokenConnectionLeavesOutcomeUnknownAfterOneAttempt() {
        http.next(Fault.loseResponse());

        assertKind(failureOfAcquire(store, GENEROUS), true, true);
        assertThat(http.count("UpdateItem")).isOne();
        assertThat(store.read("job", true, GENEROUS).row()).isNotNull();
    }

    @Test
    void lostRequestLooksLikeLostResponse() {
        http.always(Fault.loseRequest());

        assertKind(failureOfAcquire(store, GENEROUS), true, true);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @Test
    void unsentRequestLeavesNoUnknownOutcome() {
        http.next(
                Fault.refuseConnection(),
                failing(new UnknownHostException("dynamodb.nowhere.amazonaws.com")),
                failing(new SSLHandshakeException("bad certificate")),
                failing(new ConnectTimeoutException()));

        for (int i = 0; i < 4; i++) {
            LockStoreException failure = failureOfAcquire(store, GENEROUS);
            assertKind(failure, false, true);
            assertThat(failure).hasMessageContaining("cannot be reached");
        }
        assertThat(http.count("UpdateItem")).isEqualTo(4);
    }

    @Test
    void unsentRequestOfCommonRuntimeLeavesNoUnknownOutcome() {
        HttpException unresolved = new HttpException("Host name was invalid for dns resolution.");
        http.next(failing(new IOException(new HttpException("socket connection refused."))), exchange -> {
            throw unresolved;
        });

        for (int i = 0; i < 2; i++) {
            LockStoreException failure = failureOfAcquire(store, GENEROUS);
            assertKind(failure, false, true);
            assertThat(failure).hasMessageContaining("cannot be reached");
        }
    }

    @Test
    void brokenConnectionOfCommonRuntimeIsWorthRetry() {
        http.next(exchange -> {
            throw new HttpException("The connection has closed or is closing.");
        });

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, true, true);
        assertThat(failure).hasMessageContaining("the connection failed");
    }

    @Test
    void exhaustedConnectionPoolNamesTheRemedy() throws Exception {
        try (StallingFront front = StallingFront.forRequestsWith("stuck")) {
            DynamoDbClient narrow = LocalDynamoDb.newClient(front.endpoint())
                    .httpClientBuilder(Apache5HttpClient.builder()
                            .maxConnections(1)
                            .connectionAcquisitionTimeout(Duration.ofMillis(50)))
                    .build();
            DynamoDbLockStore narrowStore = storeOn(narrow);
            Thread occupier = new Thread(() -> {
                var unused = catchThrowable(() -> narrowStore.read("stuck", true, GENEROUS));
            });
            occupier.start();
            Awaitility.await().until(() -> front.stalled() == 1);

            assertNoFreeConnection(failureOfAcquire(narrowStore, GENEROUS));

            front.heal();
            occupier.join();
            narrow.close();
        }
    }

    @Test
    void otherClientsReportExhaustedPoolInTheirWords() {
        http.next(
                failing(new ConnectionPoolTimeoutException()),
                failing(new IOException(new IllegalStateException(
                        "Connection Manager failed to acquire a connection within the defined timeout."))));

        assertNoFreeConnection(failureOfAcquire(store, GENEROUS));
        assertNoFreeConnection(failureOfAcquire(store, GENEROUS));
    }

    @Test
    void refusedConnectionIsReported() throws Exception {
        DynamoDbClient nowhere = clientFor(unusedPort());

        LockStoreException failure = failureOfAcquire(storeOn(nowhere), GENEROUS);

        assertKind(failure, false, true);
        nowhere.close();
    }

    @Test
    void hangingRequestEndsWithItsTimeout() {
        http.next(Fault.hang(), Fault.hangAfterwards());

        LockStoreException lost = failureOfAcquire(store, SHORT);
        LockStoreException applied = failureOfAcquire(store, SHORT);

        assertKind(lost, true, true);
        assertKind(applied, true, true);
        assertThat(applied).hasMessageContaining("no response in time");
        assertThat(http.count("UpdateItem")).isEqualTo(2);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void unresponsiveServerEndsWithTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            DynamoDbClient waiting = clientFor(silent.getLocalPort());

            LockStoreException failure = failureOfAcquire(storeOn(waiting), SHORT);

            assertKind(failure, true, true);
            waiting.close();
        }
    }

    @Test
    void elapsedTimeoutStillEndsInTime() {
        http.always(Fault.hang());

        LockStoreException failure = failureOfAcquire(store, Duration.ZERO);

        assertKind(failure, true, true);
    }

    @Test
    void closedClientIsReported() {
        DynamoDbClient closed = newClientWithOwnConnections();
        DynamoDbLockStore unusable = storeOn(closed);
        unusable.read("job", true, GENEROUS);
        closed.close();

        LockStoreException failure = failureOfAcquire(unusable, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("the DynamoDB client is closed");
    }

    @Test
    void closedClientOfCommonRuntimeIsReported() {
        DynamoDbClient closed = FaultyClients.blocking(http, options -> {});
        http.next(exchange -> {
            throw new IllegalStateException("Client is closed. No more requests can be made with this client.");
        });

        LockStoreException failure = failureOfAcquire(storeOn(closed), GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("the DynamoDB client is closed");
    }

    @Test
    void interruptedThreadStaysInterrupted() {
        Thread.currentThread().interrupt();

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(Thread.interrupted()).isTrue();
        assertKind(failure, true, false);
        assertThat(failure).hasCauseInstanceOf(AbortedException.class).hasMessageContaining("interrupted");
        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void threadInterruptedBeforeItsRequestIsSentStaysInterrupted() {
        DynamoDbClient interrupted = newClient(options ->
                options.overrideConfiguration(override -> override.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
                        Thread.currentThread().interrupt();
                    }
                })));

        LockStoreException failure = failureOfAcquire(storeOn(interrupted), GENEROUS);

        assertThat(Thread.interrupted()).isTrue();
        assertKind(failure, true, false);
        assertThat(failure).hasCauseInstanceOf(AbortedException.class).hasMessageContaining("interrupted");
        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void threadInterruptedInRequestStaysInterrupted() throws Exception {
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        http.always(exchange -> {
            underWay.complete(null);
            return Fault.hang().on(exchange);
        });
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        CompletableFuture<LockStoreException> failure = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            failure.complete(failureOfAcquire(store, GENEROUS));
            flag.complete(Thread.currentThread().isInterrupted());
        });

        thread.start();
        underWay.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        thread.interrupt();

        assertKind(failure.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS), true, false);
        assertThat(flag.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void assertNoFreeConnection(LockStoreException failure) {
        assertKind(failure, false, true);
        assertThat(failure)
                .hasMessageContaining("the client had no free connection; raise its maxConnections, or lower"
                        + " maxConcurrentRequests");
    }

    private static DynamoDbClient clientFor(int port) {
        return LocalDynamoDb.newClient()
                .endpointOverride(URI.create("http://localhost:" + port))
                .httpClient(LocalDynamoDb.newHttpClient())
                .build();
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Fault failing(IOException failure) {
        return exchange -> {
            throw failure;
        };
    }

    /** Has the name of the exception of Apache HttpClient 4. */
    private static final class ConnectionPoolTimeoutException extends InterruptedIOException {

        private static final long serialVersionUID = 1L;
    }

    /** Has the name of the exception of the SDK's Apache client. */
    private static final class ConnectTimeoutException extends SocketTimeoutException {

        private static final long serialVersionUID = 1L;
    }
}
