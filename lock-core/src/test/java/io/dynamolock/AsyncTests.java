/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Asynchronous acquires and closes. */
class AsyncTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void acquireAsyncReturnsLease() {
        CompletableFuture<Lease> acquired = node.locks.acquireAsync(LockRequest.of("job"));

        assertThat(acquired).isCompletedWithValueMatching(Lease::isHeld);
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void acquireAsyncFailsWithHolderIfLockStaysBusy() {
        Lease held = rival.take("job");

        CompletableFuture<Lease> acquired =
                node.locks.acquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(2)));
        boolean early = acquired.isDone();
        node.pass(Duration.ofSeconds(3));

        assertThat(early).isFalse();
        CompletionException failed = catchThrowableOfType(CompletionException.class, acquired::join);
        assertThat(failed)
                .cause()
                .isInstanceOfSatisfying(
                        LockBusyException.class,
                        busy -> assertThat(busy.holder().leaseId()).isEqualTo(held.id()));
    }

    @Test
    void busyLockOfThisProcessIsNotSaidToBeReenteredByAFuture() {
        Lease held = node.take("job");

        assertThat(node.locks.acquireAsync(LockRequest.of("job")))
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withMessageContaining("is held by this process")
                .withMessageNotContaining("reentrant");
        held.close();
    }

    @Test
    void acquireAsyncIsRejectedByClosedManager() {
        node.locks.close();

        CompletableFuture<Lease> rejected = node.locks.acquireAsync(LockRequest.of("job"));

        assertThat(rejected).isCompletedExceptionally();
        assertThat(catchThrowableOfType(CompletionException.class, rejected::join))
                .hasCauseInstanceOf(LockManagerClosedException.class);
    }

    @Test
    void invalidNameFailsTheFuture() {
        CompletableFuture<Optional<Lease>> rejected = node.locks.tryAcquireAsync(LockRequest.of("x".repeat(2_049)));

        assertThat(catchThrowableOfType(CompletionException.class, rejected::join))
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void cancelledAttemptLeavesNoRow() {
        List<CompletableFuture<Lease>> attempts = new ArrayList<>();
        AtomicBoolean cancelled = new AtomicBoolean();
        Lease held = rival.take("job");
        attempts.add(node.locks.acquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1))));
        held.release();
        node.store.next(Fault.then(() -> cancelled.set(attempts.get(0).cancel(true))));

        node.pass(Duration.ofSeconds(2));

        assertThat(cancelled).isTrue();
        assertThat(attempts.get(0)).isCancelled();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.locks.held()).isEmpty();
    }

    static Stream<Consumer<CompletableFuture<Lease>>> completions() {
        return Stream.of(
                attempt -> attempt.cancel(true),
                attempt -> attempt.completeExceptionally(new TimeoutException()),
                attempt -> attempt.complete(null),
                attempt -> attempt.completeAsync(() -> null, Runnable::run),
                attempt -> attempt.obtrudeValue(null),
                attempt -> attempt.obtrudeException(new TimeoutException()));
    }

    @ParameterizedTest
    @MethodSource("completions")
    void attemptThatItsCallerCompletesSendsNothingMore(Consumer<CompletableFuture<Lease>> completion) {
        for (LockRequest request : List.of(LockRequest.of("job"), LockRequest.ofAll(List.of("a", "job")))) {
            Lease held = rival.take("job");
            CompletableFuture<Lease> attempt = node.locks.acquireAsync(request.waitTime(Duration.ofHours(1)));
            node.pass(Duration.ofSeconds(2));
            completion.accept(attempt);
            node.pass(Duration.ofSeconds(1));
            node.store.forget();

            node.pass(Duration.ofMinutes(1));
            held.release();
            node.pass(Duration.ofMinutes(1));

            assertThat(node.store.operations()).isEmpty();
            assertThat(node.locks.held()).isEmpty();
        }
    }

    /** The lease exists already when the future is cancelled, but nobody gets it. */
    @Test
    void cancelledAttemptLeavesNoMinimumHold() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<CompletableFuture<Lease>> attempt = new AtomicReference<>();
        InMemoryLockStore rows = new InMemoryLockStore();
        LockListener canceller = new LockListener() {
            @Override
            public void onAcquired(Lease lease, Duration took, Duration waited) {
                Latches.await(begun);
                Objects.requireNonNull(attempt.get()).cancel(true);
            }
        };
        try (LockManager locks = LockManager.builder(rows).listener(canceller).build()) {
            attempt.set(locks.acquireAsync(LockRequest.of("job").minHold(Duration.ofHours(1))));
            begun.countDown();

            Awaitility.await()
                    .until(() -> locks.inspect("job").fencingToken() > 0
                            && Node.row(rows, "job").isFree());

            assertThat(attempt.get()).isCancelled();
        }
    }

    @Test
    void closeAsyncReleasesOnceOnManagerThread() throws Exception {
        AtomicReference<String> thread = new AtomicReference<>("");
        CountDownLatch mayRelease = new CountDownLatch(1);
        InMemoryLockStore rows = new InMemoryLockStore();
        FaultyStore store = new FaultyStore(rows);
        try (LockManager locks = LockManager.builder(store).build()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();
            store.next(Fault.first(() -> {
                thread.set(Thread.currentThread().getName());
                Latches.await(mayRelease);
            }));

            CompletableFuture<Void> closed = lease.closeAsync().toCompletableFuture();
            CompletableFuture<Void> again = lease.closeAsync().toCompletableFuture();

            assertThat(closed).isNotDone();
            mayRelease.countDown();
            closed.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            again.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(Node.row(rows, "job").isFree()).isTrue();
            assertThat(store.operations()).containsOnlyOnce(Operation.RELEASE);
            assertThat(thread.get()).startsWith("dynamolock-").contains("worker");
        }
    }

    @Test
    void closeAsyncReportsStoreFailure() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        CompletableFuture<Void> closed = lease.closeAsync().toCompletableFuture();

        assertThat(catchThrowableOfType(CompletionException.class, closed::join))
                .hasCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void lastCloseOfReentrantHoldsReleases() throws InterruptedException {
        LockRequest request = LockRequest.of("job").reentrant(true);
        Lease outer = node.locks.acquire(request);
        Lease inner = node.locks.acquire(request);
        node.store.forget();

        assertThat(inner.closeAsync().toCompletableFuture()).isCompleted();
        boolean heldAfterTheFirst = outer.isHeld();
        assertThat(outer.closeAsync().toCompletableFuture()).isCompleted();

        assertThat(heldAfterTheFirst).isTrue();
        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void closeAsyncAfterManagerCloseLetsLeaseExpire() throws Exception {
        FaultyStore store = new FaultyStore(new InMemoryLockStore());
        LockManager locks =
                LockManager.builder(store).shutdownGrace(Duration.ZERO).build();
        Lease lease = locks.acquireAsync(LockRequest.of("job")).get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        locks.close();

        lease.closeAsync().toCompletableFuture().get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);

        assertThat(store.operations()).doesNotContain(Operation.RELEASE);
        assertThat(Node.row(store.rows(), "job").isFree()).isFalse();
    }

    @Test
    void closeAsyncOfReleasedLeaseCompletesAfterManagerClose() {
        LockManager closed = LockManager.builder(new InMemoryLockStore()).build();
        Lease lease = closed.tryAcquire("job").orElseThrow();
        lease.release();
        closed.close();

        assertThat(lease.closeAsync()).succeedsWithin(TestRun.TIMEOUT);
    }

    @Test
    void unusedLeaseIsReleasedAlsoIfManagerStopsWhileItsCloseIsSubmitted() {
        HeldLease lease = (HeldLease) node.take("job");
        node.locks.close();
        lease.markUnused();
        InvocationHandler stopping = (proxy, method, arguments) -> {
            Object result = method.invoke(node.registry, arguments);
            if (method.getName().equals("closeRequested")) {
                Thread stop = new Thread(((AsyncClose) arguments[0])::stopped);
                stop.start();
                Awaitility.await().until(() -> !stop.isAlive() || stop.getState() == Thread.State.BLOCKED);
            }
            return result;
        };
        Class<?>[] hooks = {AsyncClose.Hooks.class};

        CompletionStage<Void> closed = AsyncClose.of(
                node.context,
                (AsyncClose.Hooks) Proxy.newProxyInstance(getClass().getClassLoader(), hooks, stopping),
                lease,
                lease.status());

        assertThat(closed).succeedsWithin(TestRun.TIMEOUT);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void managerCloseWaitsForLeaseWithoutThread() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks = LockManager.builder(rows).build();
        Lease lease = locks.acquireAsync(LockRequest.of("job")).get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        Thread closing = new Thread(locks::close);
        closing.start();
        Awaitility.await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        boolean free = Node.row(rows, "job").isFree();

        lease.closeAsync().toCompletableFuture().get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        closing.join(TestRun.TIMEOUT.toMillis());

        assertThat(free).isFalse();
        assertThat(Node.row(rows, "job").isFree()).isTrue();
        assertThat(closing.isAlive()).isFalse();
    }

    @Test
    void leaseExposesItsPolicy() throws InterruptedException {
        StoredLease usual = (StoredLease) node.take("usual");
        StoredLease strict = (StoredLease)
                node.locks.acquire(LockRequest.of("strict").reentrant(true).onLost(OnLost.INTERRUPT));

        assertThat(usual.policy()).isEqualTo(OnLost.THROW);
        assertThat(strict.policy()).isEqualTo(OnLost.INTERRUPT);
    }

    /** A hanging store may occupy all threads of the manager. */
    @Test
    void attemptWithoutThreadTimesOut() {
        node.scheduler.keepWorkWaiting();

        CompletableFuture<Lease> attempt =
                node.locks.acquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(2)));
        node.pass(Duration.ofSeconds(2));
        boolean early = attempt.isDone();
        node.pass(LockSettings.DEFAULTS.callTimeoutFor(Duration.ofSeconds(30)));

        assertThat(early).isFalse();
        assertThat(attempt)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining("'job'")
                .withMessageContaining("busy with hanging requests, or could not be started")
                .withMessageContaining("limit of threads");
        assertThat(node.scheduler.scheduled()).isZero();
    }

    /** A paused process had no time for its own requests. */
    @Test
    void attemptSurvivesAProcessPause() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> attempt =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(2)));

        node.scheduler.freeze(Duration.ofMinutes(1));
        held.release();
        node.pass(Duration.ofMillis(1));

        assertThat(attempt).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void closeWithoutThreadFailsWhenManagerCloses() {
        Lease lease = node.take("job");
        node.scheduler.keepWorkWaiting();
        CompletableFuture<Void> closed = lease.closeAsync().toCompletableFuture();

        Thread.currentThread().interrupt(); // makes close() return immediately
        node.locks.close();
        boolean interrupted = Thread.interrupted();

        assertThat(interrupted).isTrue();
        assertThat(closed)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
    }
}
