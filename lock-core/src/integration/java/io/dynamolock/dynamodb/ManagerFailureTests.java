/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.RetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A failure is an exception, never a busy result and never a lease. */
class ManagerFailureTests {

    private static final int ATTEMPTS = 2;
    private static final RetryPolicy POLICY =
            RetryPolicy.exponential(ATTEMPTS, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0);

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(table, ManagerFailureTests::settings);

    @AfterEach
    void close() {
        node.close();
    }

    static Stream<Arguments> whatPasses() {
        return Stream.of(
                argumentSet("throttled", Fault.throttle()),
                argumentSet("throttled account", Fault.refuse(400, "ThrottlingException", "Rate exceeded")),
                argumentSet("500", Fault.serverError()),
                argumentSet("503", Fault.refuse(503, "ServiceUnavailable", "Service unavailable")),
                argumentSet("conflict", Fault.refuse(400, "TransactionConflictException", "Transaction is ongoing")),
                argumentSet("connection reset", Fault.loseRequest()),
                argumentSet("connection refused", Fault.refuseConnection()));
    }

    static Stream<Arguments> whatStays() {
        return Stream.of(
                argumentSet("access denied", Fault.denyAccess()),
                argumentSet("invalid", Fault.refuse(400, "ValidationException", "Invalid UpdateExpression")),
                argumentSet("no table", Fault.refuse(400, "ResourceNotFoundException", "Requested resource not found")),
                argumentSet("bad credentials", Fault.refuse(400, "UnrecognizedClientException", "Invalid token")));
    }

    @ParameterizedTest
    @MethodSource("whatPasses")
    void transientFailureIsAttemptedAsOftenAsPolicyAllows(Fault fault) {
        node.http.always(fault);

        LockStoreException failure = failureOf(() -> node.locks.tryAcquire("job"));

        assertIsAboutTheJobIn(table, failure);
        assertThat(node.requests().subList(0, ATTEMPTS)).containsOnly("UpdateItem");
        assertThat(node.events.retries).hasSize(ATTEMPTS - 1);
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void hangingRequestIsRetriedAndNotReportedBusy() {
        Duration brief = Duration.ofMillis(100);
        try (DynamoDbNode impatient = DynamoDbNode.cold(
                table,
                settings ->
                        settings.retryPolicy(POLICY).attemptTimeout(brief).firstAnswerTimeout(brief.multipliedBy(2)))) {
            impatient.http.always(Fault.hang());
            LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(10));

            assertIsAboutTheJobIn(table, failureOf(() -> impatient.locks.tryAcquire("job")));
            assertThat(impatient.events.retries).hasSize(ATTEMPTS - 1);
            assertIsAboutTheJobIn(table, failureOf(() -> impatient.locks.acquire(patient)));
            assertThat(impatient.locks.held()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("whatPasses")
    void transientFailureEndsWithNextAttempt(Fault fault) {
        node.http.next(fault);

        Lease lease = node.take("job");

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
    }

    @ParameterizedTest
    @MethodSource("whatStays")
    void permanentFailureIsNotRetried(Fault fault) {
        node.http.always(fault);

        LockStoreException failure = failureOf(() -> node.locks.tryAcquire("job"));

        assertIsAboutTheJobIn(table, failure);
        assertThat(failure.isOutcomeUnknown()).isFalse();
        assertThat(node.requests()).containsExactly("UpdateItem");
        assertThat(node.locks.held()).isEmpty();
        assertThat(items.item("job")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"whatPasses", "whatStays"})
    void waiterDoesNotWaitForAnyFailure(Fault fault) {
        node.http.always(fault);
        LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(10));

        assertIsAboutTheJobIn(table, failureOf(() -> node.locks.tryAcquire(patient)));
        assertIsAboutTheJobIn(table, failureOf(() -> node.locks.acquire(patient)));
        assertIsAboutTheJobIn(
                table,
                failureOf(() -> node.locks.tryRun(patient, () -> {
                    throw new AssertionError("ran without the lock");
                })));
    }

    @ParameterizedTest
    @MethodSource({"whatPasses", "whatStays"})
    void failureAfterRefusalIsNotReportedBusy(Fault fault) throws InterruptedException {
        try (DynamoDbNode holder = DynamoDbNode.on(table)) {
            holder.take("job");
            node.http.next(Fault.none());
            node.http.always(fault);

            LockStoreException failure =
                    failureOf(() -> node.locks.tryAcquire(LockRequest.of("job").waitTime(Duration.ofMinutes(10))));

            assertIsAboutTheJobIn(table, failure);
        }
    }

    @ParameterizedTest
    @MethodSource({"whatPasses", "whatStays"})
    void failedReleaseThrowsWithoutOutcome(Fault fault) {
        Lease lease = node.take("job");
        node.http.always(fault);

        assertIsAboutTheJobIn(table, failureOf(lease::release));

        assertThat(lease.isHeld()).isFalse();
        assertThat(items.isFree("job")).isFalse();
    }

    @ParameterizedTest
    @MethodSource({"whatPasses", "whatStays"})
    void failedRenewalThrowsAndLeaseStaysHeld(Fault fault) {
        Lease lease = node.take("job");
        node.http.always(fault);

        assertIsAboutTheJobIn(table, failureOf(lease::renew));

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.events.losses).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void attemptsAreCountedInTotal(int attempts) {
        RetryPolicy policy = RetryPolicy.exponential(attempts, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0);
        try (DynamoDbNode patient = DynamoDbNode.on(table, settings -> settings.retryPolicy(policy))) {
            patient.http.always(Fault.throttle());

            failureOf(() -> patient.locks.tryAcquire("job"));

            assertThat(patient.requests()).hasSize(attempts);
        }
    }

    @Test
    void missingTable() {
        try (DynamoDbNode lost = DynamoDbNode.cold("no-such-table", settings -> {})) {
            LockStoreException failure = failureOf(() -> lost.locks.tryAcquire("job"));

            assertIsAboutTheJobIn("no-such-table", failure);
            assertThat(lost.requests()).hasSize(1);
        }
    }

    @Test
    void tableWithOtherKey() {
        String other = LocalDynamoDb.newTableName();
        LocalDynamoDb.client()
                .createTable(create -> create.tableName(other)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(AttributeDefinition.builder()
                                .attributeName("id")
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .keySchema(KeySchemaElement.builder()
                                .attributeName("id")
                                .keyType(KeyType.HASH)
                                .build()));
        try (DynamoDbNode lost = DynamoDbNode.cold(other, settings -> {})) {
            LockStoreException failure = failureOf(() -> lost.locks.tryAcquire("job"));

            assertIsAboutTheJobIn(other, failure);
            assertThat(lost.requests()).hasSize(1);
        }
    }

    @Test
    void connectionRefused() {
        try (DynamoDbClient nowhere = LocalDynamoDb.newClient()
                        .endpointOverride(URI.create("http://localhost:1"))
                        .httpClient(LocalDynamoDb.newHttpClient())
                        .build();
                LockManager locks = LockManager.builder(DynamoDbLockStore.builder(nowhere)
                                .tableName(table)
                                .build())
                        .retryPolicy(POLICY)
                        .build()) {
            LockStoreException failure = failureOf(() -> locks.tryAcquire("job"));

            assertIsAboutTheJobIn(table, failure);
            assertThat(failure.isOutcomeUnknown()).isFalse();
        }
    }

    private static void settings(LockManagerBuilder settings) {
        DynamoDbNode.withLongLeases(settings);
        settings.attemptTimeout(Duration.ofSeconds(10)).retryPolicy(POLICY);
    }

    private static LockStoreException failureOf(ThrowingCallable operation) {
        return catchThrowableOfType(LockStoreException.class, operation);
    }

    private static void assertIsAboutTheJobIn(String table, LockStoreException failure) {
        assertThat(failure).hasMessageContaining("'job'").hasMessageContaining("'" + table + "'");
        assertThat(failure.lockName()).isEqualTo("job");
        assertThat(failure.getCause()).isNotNull();
    }
}
