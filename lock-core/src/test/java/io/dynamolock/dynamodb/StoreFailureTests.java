/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockStore;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Free;
import io.dynamolock.LockStoreException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What a failed request is called, on a client with the SDK's default settings, which would retry. */
class StoreFailureTests {

    private static final String TABLE = LocalDynamoDb.newTable();
    private static final Duration GENEROUS = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final DynamoDbLockStore store =
            DynamoDbLockStore.builder(client).tableName(TABLE).build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void namesTheLockTheTableAndWhatWentWrongAndKeepsTheCause() {
        http.always(Fault.serverError());

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(failure)
                .hasMessage("Acquiring lock 'job' in table '" + TABLE + "' failed:"
                        + " DynamoDB answered 500 (InternalServerError: Internal server error)")
                .hasCauseInstanceOf(SdkServiceException.class);
        assertThat(failure.lockName()).isEqualTo("job");
    }

    @ParameterizedTest
    @CsvSource({
        "500, InternalServerError, true, true, answered 500",
        "503, ServiceUnavailable, true, true, answered 503",
        "400, ProvisionedThroughputExceededException, false, true, throttles",
        "400, ThrottlingException, false, true, throttles",
        "400, RequestLimitExceeded, false, true, throttles",
        "400, TransactionConflictException, false, true, TransactionConflictException",
        "400, ReplicatedWriteConflictException, false, true, ReplicatedWriteConflictException",
        "400, AccessDeniedException, false, false, do not allow dynamodb:UpdateItem",
        "400, ResourceNotFoundException, false, false, does not exist in Region eu-west-1",
        "400, ValidationException, false, false, compare the keys",
        "400, UnrecognizedClientException, false, false, does not accept the credentials",
        "400, ExpiredTokenException, false, false, does not accept the credentials",
        "413, RequestTooLarge, false, false, answered 413",
        "302, Moved, true, false, answered 302"
    })
    void whatDynamoDbAnswersIsOneAttempt(
            int status, String type, boolean outcomeUnknown, boolean retryable, String text) {
        http.always(Fault.refuse(status, type, "no"));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, outcomeUnknown, retryable);
        assertThat(failure).hasMessageContaining(text);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @Test
    void anAnswerThatIsNotDynamoDbsLeavesTheOutcomeOpen() {
        http.always(Fault.answer(502, "<html>Bad gateway</html>"));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, true, true);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @Test
    void anAnswerThatCannotBeReadLeavesTheOutcomeOpen() {
        http.always(Fault.answer(200, "{\"Attributes\":"));

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(http.count("UpdateItem")).isOne();
    }

    @Test
    void aBrokenConnectionLeavesTheOutcomeOpenAndIsOneAttempt() {
        http.next(Fault.loseAnswer());

        assertKind(failureOfAcquire(store, GENEROUS), true, true);
        assertThat(http.count("UpdateItem")).isOne();
        assertThat(store.read("job", true, GENEROUS).row()).isNotNull();
    }

    @Test
    void aLostRequestLooksLikeALostAnswer() {
        http.always(Fault.loseRequest());

        assertKind(failureOfAcquire(store, GENEROUS), true, true);
        assertThat(http.count("UpdateItem")).isOne();
    }

    @Test
    void aRequestThatWasNeverSentLeavesNothingOpen() {
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
    void nobodyListening() throws Exception {
        DynamoDbClient nowhere = clientFor(unusedPort());

        LockStoreException failure = failureOfAcquire(storeOn(nowhere), GENEROUS);

        assertKind(failure, false, true);
        nowhere.close();
    }

    @Test
    void aRequestThatHangsEndsWithItsTimeout() {
        http.next(Fault.hang(), Fault.hangAfterwards());

        LockStoreException lost = failureOfAcquire(store, SHORT);
        LockStoreException applied = failureOfAcquire(store, SHORT);

        assertKind(lost, true, true);
        assertKind(applied, true, true);
        assertThat(applied).hasMessageContaining("no answer in time");
        assertThat(http.count("UpdateItem")).isEqualTo(2);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aServerThatNeverAnswersEndsWithTheTimeout() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            DynamoDbClient waiting = clientFor(silent.getLocalPort());

            LockStoreException failure = failureOfAcquire(storeOn(waiting), SHORT);

            assertKind(failure, true, true);
            waiting.close();
        }
    }

    @Test
    void aTimeoutThatIsOverAlreadyStillEndsInTime() {
        http.always(Fault.hang());

        LockStoreException failure = failureOfAcquire(store, Duration.ZERO);

        assertKind(failure, true, true);
    }

    @Test
    void noTable() {
        DynamoDbLockStore missing =
                DynamoDbLockStore.builder(client).tableName("missing").build();

        LockStoreException failure = failureOfAcquire(missing, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("table 'missing' does not exist in Region eu-west-1");
    }

    @Test
    void anotherKey() {
        DynamoDbLockStore other = DynamoDbLockStore.builder(client)
                .tableName(TABLE)
                .partitionKey("id")
                .build();

        LockStoreException failure = failureOfAcquire(other, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("compare the keys of table '" + TABLE + "' with the settings");
    }

    @Test
    void noCredentials() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        DynamoDbClient nobody = LocalDynamoDb.newClient()
                .credentialsProvider(none)
                .httpClient(http)
                .build();

        LockStoreException failure = failureOfAcquire(storeOn(nobody), GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("no AWS credentials were found");
        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void aClosedClient() {
        store.read("job", true, GENEROUS);
        client.close();

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertKind(failure, false, false);
        assertThat(failure).hasMessageContaining("the DynamoDB client is closed");
    }

    @Test
    void anInterruptedThreadStaysInterrupted() {
        Thread.currentThread().interrupt();

        LockStoreException failure = failureOfAcquire(store, GENEROUS);

        assertThat(Thread.interrupted()).isTrue();
        assertKind(failure, true, false);
        assertThat(failure).hasCauseInstanceOf(AbortedException.class).hasMessageContaining("interrupted");
        assertThat(http.attempts()).isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedInARequestStaysInterrupted() throws Exception {
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
        underWay.get(10, TimeUnit.SECONDS);
        thread.interrupt();

        assertKind(failure.get(10, TimeUnit.SECONDS), true, false);
        assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aReadLeavesNothingOpen() {
        http.next(Fault.serverError(), Fault.loseAnswer(), Fault.hang(), Fault.denyAccess(), Fault.throttle());

        assertKind(failureOfRead(GENEROUS), false, true);
        assertKind(failureOfRead(GENEROUS), false, true);
        assertKind(failureOfRead(SHORT), false, true);
        LockStoreException denied = failureOfRead(GENEROUS);
        assertKind(denied, false, false);
        assertThat(denied)
                .hasMessageContaining("Reading lock 'job' in table '" + TABLE + "' failed")
                .hasMessageContaining("dynamodb:GetItem");
        assertKind(failureOfRead(GENEROUS), false, true);
        assertThat(http.count("GetItem")).isEqualTo(5);
    }

    private static void assertKind(LockStoreException failure, boolean outcomeUnknown, boolean retryable) {
        assertThat(failure.isOutcomeUnknown())
                .as("outcome unknown: %s", failure)
                .isEqualTo(outcomeUnknown);
        assertThat(failure.isRetryable()).as("retryable: %s", failure).isEqualTo(retryable);
    }

    private static LockStoreException failureOfAcquire(LockStore store, Duration timeout) {
        Instant now = Instant.parse("2100-01-01T12:00:00Z");
        Acquire write = new Acquire(
                "job",
                "mine",
                "me",
                7,
                Duration.ofSeconds(30),
                now,
                now.plusSeconds(30),
                LeaseTime.SERVER,
                Map.of(),
                new Free());
        return catchThrowableOfType(LockStoreException.class, () -> store.acquire(write, timeout));
    }

    private LockStoreException failureOfRead(Duration timeout) {
        return catchThrowableOfType(LockStoreException.class, () -> store.read("job", true, timeout));
    }

    private static DynamoDbLockStore storeOn(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(TABLE).build();
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

    /** Called as the Apache client's own is. */
    private static final class ConnectTimeoutException extends SocketTimeoutException {

        private static final long serialVersionUID = 1L;
    }
}
