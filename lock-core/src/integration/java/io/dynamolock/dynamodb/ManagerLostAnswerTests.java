/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes whose responses were lost. */
class ManagerLostAnswerTests {

    private static final int ATTEMPTS = 3;

    private final String table = LocalDynamoDb.newTable();
    private final RawItems items = new RawItems(table);
    private final DynamoDbNode node = DynamoDbNode.on(
            table,
            settings -> settings.leaseDuration(Duration.ofMinutes(10))
                    .attemptTimeout(Duration.ofSeconds(10))
                    .retryPolicy(RetryPolicy.exponential(ATTEMPTS, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0)));
    private final DynamoDbNode rival = DynamoDbNode.on(table);

    @AfterEach
    void close() {
        node.close();
        rival.close();
    }

    @Test
    void acquireWithLostResponseIsRecognizedByFirstRetry() {
        node.http.next(Fault.loseAnswer());

        Lease lease = node.locks.tryAcquire("job").orElseThrow();

        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(items.text("job", "leaseId")).isEqualTo(lease.id());
        assertThat(items.text("job", "fencingToken")).isEqualTo(Long.toString(lease.fencingToken()));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void retryResendsFirstAttempt() {
        node.http.next(Fault.loseRequest());

        node.take("job");

        List<Attempt> attempts = node.http.attempts("UpdateItem");
        assertThat(attempts).hasSize(2);
        assertThat(attempts.get(1).body()).isEqualTo(attempts.get(0).body());
    }

    @Test
    void waiterRecognizesItsUnansweredAcquire() throws InterruptedException {
        node.http.next(Fault.loseAnswer());

        Optional<Lease> lease = node.locks.tryAcquire(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

        assertThat(lease).isPresent();
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
    }

    @Test
    void acquireWithAllResponsesLostIsUnknownAndUndone() {
        node.http.next(Fault.loseAnswer(), Fault.loseAnswer(), Fault.loseAnswer());

        LockStoreException failure = catchThrowableOfType(LockStoreException.class, () -> node.locks.tryAcquire("job"));

        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(node.locks.held()).isEmpty();
        await().until(() -> items.isFree("job"));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void undoSurvivesOutage() {
        node.http.next(Fault.loseAnswer());
        CompletableFuture<Void> outage = new CompletableFuture<>();
        node.http.decide(attempt -> outage.isDone() ? Fault.none() : Fault.serverError());
        LockStoreException failure = catchThrowableOfType(LockStoreException.class, () -> node.locks.tryAcquire("job"));
        assertThat(failure.isOutcomeUnknown()).isTrue();
        int before = node.http.count("UpdateItem");

        await().until(() -> node.http.count("UpdateItem") > before);
        assertThat(items.isFree("job")).isFalse();
        outage.complete(null);

        await().until(() -> items.isFree("job"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void possiblyAppliedAttemptsAreNeverForgotten(int lost) {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            node.http.next(attempt == lost ? Fault.loseAnswer() : Fault.throttle());
        }

        LockStoreException failure = catchThrowableOfType(LockStoreException.class, () -> node.locks.tryAcquire("job"));

        assertThat(failure.isOutcomeUnknown()).isTrue();
        await().until(() -> items.isFree("job"));
    }

    @Test
    void delayedCopyOfUndoneAcquireIsRefused() {
        node.http.next(Fault.loseRequest(), Fault.loseRequest(), Fault.loseRequest());
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> node.locks.tryAcquire("job"));
        Attempt late = node.http.attempts("UpdateItem").get(0);
        await().until(() -> !items.text("job", "tokenFloor").isEmpty());
        Map<String, AttributeValue> before = items.item("job");

        int status = node.http.sendAgain(late);

        assertThat(status).isEqualTo(400);
        assertThat(items.item("job")).isEqualTo(before);
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void refusedUnansweredAcquireIsBusyAndUndoRaisesOnlyFloor() {
        rival.take("job");
        Map<String, AttributeValue> before = items.item("job");
        node.http.next(Fault.loseAnswer());

        Optional<Lease> lease = node.locks.tryAcquire("job");

        assertThat(lease).isEmpty();
        await().until(() -> !items.item("job").equals(before));
        Map<String, AttributeValue> after = new HashMap<>(items.item("job"));
        after.put("tokenFloor", before.get("tokenFloor"));
        assertThat(after).isEqualTo(before);
    }

    @Test
    void releaseWithLostResponseIsReleased() {
        Lease lease = node.take("job");
        node.http.forget();
        node.http.next(Fault.loseAnswer());

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(node.events.failedReleases).isEmpty();
        assertThat(items.isFree("job")).isTrue();
    }

    @Test
    void renewalWithLostResponseIsRecognized() {
        Lease lease = node.take("job");
        Instant before = lease.expiresAt();
        node.http.forget();
        node.http.next(Fault.loseAnswer());

        Instant end = lease.renew(Duration.ofMinutes(20));

        assertThat(end).isAfter(before.plusSeconds(300));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(items.text("job", "renewals")).isEqualTo("1");
        assertThat(node.requests()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void heartbeatWithLostResponseReportsNoLoss() {
        try (DynamoDbNode renewing = DynamoDbNode.on(
                table,
                settings -> settings.leaseDuration(Duration.ofMinutes(1)).heartbeatInterval(Duration.ofMillis(100)))) {
            Lease lease = renewing.take("job");
            renewing.http.next(Fault.loseAnswer());

            await().until(() -> !renewing.events.failedRenewals.isEmpty());
            await().until(() -> Integer.parseInt(items.text("job", "renewals")) >= 3);

            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(renewing.events.losses).isEmpty();
            assertThat(renewing.events.failedRenewals).hasSize(1);
        }
    }
}
