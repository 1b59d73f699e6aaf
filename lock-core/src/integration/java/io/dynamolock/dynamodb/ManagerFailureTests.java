/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.RetryPolicy;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    static Stream<Arguments> transientFailures() {
        return Stream.of(
                argumentSet("throttled", Fault.throttle()),
                argumentSet("throttled account", Fault.reject(400, "ThrottlingException", "Rate exceeded")),
                argumentSet("500", Fault.serverError()),
                argumentSet("503", Fault.reject(503, "ServiceUnavailable", "Service unavailable")),
                argumentSet("conflict", Fault.reject(400, "TransactionConflictException", "Transaction is ongoing")),
                argumentSet("connection reset", Fault.loseRequest()),
                argumentSet("connection refused", Fault.refuseConnection()));
    }

    static Stream<Arguments> permanentFailures() {
        return Stream.of(
                argumentSet("access denied", Fault.denyAccess()),
                argumentSet("invalid", Fault.reject(400, "ValidationException", "Invalid UpdateExpression")),
                argumentSet("no table", Fault.reject(400, "ResourceNotFoundException", "Requested resource not found")),
                argumentSet("bad credentials", Fault.reject(400, "UnrecognizedClientException", "Invalid token")));
    }

    @ParameterizedTest
    @MethodSource("permanentFailures")
    void permanentFailureIsNotRetried(Fault fault) {
        node.http.always(fault);

        LockStoreException failure = failureOf(() -> node.locks.tryAcquire("job"));

        assertIsAboutTheJob(failure);
        assertThat(failure.isOutcomeUnknown()).isFalse();
        assertThat(node.requests()).containsExactly("UpdateItem");
        assertThat(node.locks.held()).isEmpty();
        assertThat(items.item("job")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource({"transientFailures", "permanentFailures"})
    void waiterDoesNotWaitForAnyFailure(Fault fault) {
        node.http.always(fault);
        LockRequest longWait = LockRequest.of("job").waitTime(Duration.ofMinutes(10));

        assertIsAboutTheJob(failureOf(() -> node.locks.tryAcquire(longWait)));
        assertIsAboutTheJob(failureOf(() -> node.locks.acquire(longWait)));
        assertIsAboutTheJob(failureOf(() -> node.locks.tryRun(longWait, () -> {
            throw new AssertionError("ran without the lock");
        })));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void attemptsAreCountedInTotal(int attempts) {
        RetryPolicy policy = RetryPolicy.exponential(attempts, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0);
        try (DynamoDbNode other = DynamoDbNode.on(table, settings -> settings.retryPolicy(policy))) {
            other.http.always(Fault.throttle());

            failureOf(() -> other.locks.tryAcquire("job"));

            assertThat(other.requests()).hasSize(attempts);
        }
    }

    private static void settings(LockManagerBuilder settings) {
        DynamoDbNode.withLongLeases(settings);
        settings.attemptTimeout(Duration.ofSeconds(10)).retryPolicy(POLICY);
    }

    private static LockStoreException failureOf(ThrowingCallable operation) {
        return catchThrowableOfType(LockStoreException.class, operation);
    }

    private void assertIsAboutTheJob(LockStoreException failure) {
        assertThat(failure).hasMessageContaining("'job'").hasMessageContaining("'" + table + "'");
        assertThat(failure.lockName()).isEqualTo("job");
        assertThat(failure.getCause()).isNotNull();
    }
}
