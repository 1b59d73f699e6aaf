/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a lock in real time. */
class ManagerWaitTests {

    private static final LockRequest PATIENT = LockRequest.of("job").waitTime(Duration.ofMinutes(1));

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
    void aWaitEndsWithTheWaitTime() {
        holder.take("job");
        LockRequest request = LockRequest.of("job").waitTime(Duration.ofSeconds(1));

        Duration took = timeOf(() -> assertThat(node.locks.tryAcquire(request)).isEmpty());
        Duration tookToThrow = timeOf(
                () -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> node.locks.acquire(request)));

        assertThat(took).isBetween(Duration.ofMillis(950), Duration.ofMillis(2500));
        assertThat(tookToThrow).isBetween(Duration.ofMillis(950), Duration.ofMillis(2500));
    }

    @Test
    void aReleaseElsewhereEndsAShortWaitSoon() throws Exception {
        Lease lease = holder.take("job");
        CompletableFuture<Lease> waiter = waiter(node);
        await().until(() -> node.http.count("GetItem") > 0);

        lease.release();

        assertThat(waiter.get(2, TimeUnit.SECONDS).fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void releasesHereHandTheLockFromWaiterToWaiterWithoutALook() throws Exception {
        Lease lease = node.take("job");
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiters.add(waiter(node));
        }
        await().until(() -> node.http.count("GetItem") > 0);
        node.http.forget();

        lease.release();
        for (CompletableFuture<Lease> waiter : waiters) {
            waiter.get(2, TimeUnit.SECONDS);
        }

        assertThat(node.http.count("GetItem")).isLessThanOrEqualTo(1);
        assertThat(node.http.count("UpdateItem")).isEqualTo(11);
    }

    @Test
    void closingTheManagerEndsItsWaits() {
        holder.take("job");
        List<CompletableFuture<Lease>> waiters = List.of(waiter(node), waiter(node), waiter(node));
        CompletableFuture<Optional<Lease>> future = node.locks.tryAcquireAsync(PATIENT);
        await().until(() -> node.http.count("GetItem") > 0);

        Duration took = timeOf(() -> {
            node.locks.close();
            for (CompletableFuture<Lease> waiter : waiters) {
                assertEndsClosed(waiter);
            }
            assertEndsClosed(future);
        });

        assertThat(took).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void aClosedManagerSendsNothing() {
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
    void interruptingAWaiterEndsItsWaitAtOnce() throws Exception {
        holder.take("job");
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                node.locks.acquire(PATIENT);
            } catch (InterruptedException | RuntimeException end) {
                ended.complete(end);
            }
        });
        thread.start();
        await().until(() -> node.http.count("GetItem") > 0);

        thread.interrupt();

        assertThat(ended.get(1, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void anInterruptedWaiterLeavesNoRowBehindThoughItsRequestWasUnderWay() throws Exception {
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        node.http.next(exchange -> {
            exchange.send().responseBody().orElseThrow().close();
            underWay.complete(null);
            return Fault.hang().on(exchange);
        });
        CompletableFuture<Optional<Lease>> result = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            try {
                result.complete(node.locks.tryAcquire(LockRequest.of("job").waitTime(Duration.ofMinutes(1))));
            } catch (InterruptedException | RuntimeException failure) {
                result.completeExceptionally(failure);
            }
        });

        waiter.start();
        underWay.get(10, TimeUnit.SECONDS);
        waiter.interrupt();

        ExecutionException failure =
                catchThrowableOfType(ExecutionException.class, () -> result.get(1, TimeUnit.SECONDS));
        assertThat(failure).hasCauseInstanceOf(InterruptedException.class);
        await().until(() -> items.isFree("job"));
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void cancellingAnAttemptInMidRequestLeavesNothingBehind() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        node.http.next(Fault.holdAnswer(gate));
        CompletableFuture<Optional<Lease>> attempt = node.locks.tryAcquireAsync(PATIENT);
        await().until(() -> !items.isFree("job"));

        attempt.cancel(true);
        gate.complete(null);

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
                .isThrownBy(() -> waiter.get(3, TimeUnit.SECONDS))
                .withCauseInstanceOf(IllegalStateException.class);
    }

    private static Duration timeOf(ThrowingCallable action) {
        long started = System.nanoTime();
        assertThatNoException().isThrownBy(action);
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
