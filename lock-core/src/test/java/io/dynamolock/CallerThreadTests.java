/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that send requests and run continuations. */
@Timeout(120)
class CallerThreadTests {

    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());
    private final Set<Thread> senders = ConcurrentHashMap.newKeySet();
    private final LockManager locks = manager();
    private final LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(10));

    private LockManager manager() {
        return LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .pollMax(Duration.ofMillis(100))
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private void noteSenders() {
        store.always(request -> {
            senders.add(Thread.currentThread());
            return request.get();
        });
    }

    @Test
    void callerThreadSendsItsRequests() throws InterruptedException {
        noteSenders();

        locks.acquire(patient).release();

        assertThat(senders).containsExactly(Thread.currentThread());
    }

    @Test
    void waitingCallerThreadSendsItsRequests() throws InterruptedException {
        Lease held = locks.tryAcquire("job").orElseThrow();
        noteSenders();
        AtomicReference<Optional<Lease>> got = new AtomicReference<>(Optional.empty());
        Thread waiter = started(() -> got.set(locks.tryAcquire(patient)));
        await().until(() -> store.operations().contains(Operation.READ));

        held.release();
        waiter.join();

        assertThat(got.get()).isPresent();
        assertThat(senders).containsOnly(waiter, Thread.currentThread());
    }

    @Test
    void continuationsDoNotRunOnManagerThreads() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch attached = new CountDownLatch(1);
        store.next(Fault.first(() -> awaitLatch(attached)));

        var done = locks.acquireAsync(patient).thenAccept(lease -> thread.set(Thread.currentThread()));
        attached.countDown();
        done.join();

        assertThat(thread.get()).extracting(Thread::getName, as(STRING)).contains("-completion-");
    }

    @Test
    void releaseContinuationsDoNotRunOnManagerThreads() throws InterruptedException {
        Lease lease = locks.acquire(patient);
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch slow = new CountDownLatch(1);
        store.next(Fault.first(() -> awaitLatch(slow)));

        var done = lease.closeAsync().thenAccept(unused -> thread.set(Thread.currentThread()));
        slow.countDown();
        done.toCompletableFuture().join();

        assertThat(thread.get()).extracting(Thread::getName, as(STRING)).contains("-completion-");
    }

    /** On the common pool, as many of them as processors would block all others. */
    @Test
    void blockingContinuationsDelayNoOthers() {
        int many = 50;
        CountDownLatch attached = new CountDownLatch(1);
        CountDownLatch allRun = new CountDownLatch(many);
        store.always(Fault.first(() -> awaitLatch(attached)));
        List<CompletableFuture<Void>> futures = IntStream.range(0, many)
                .mapToObj(i -> locks.acquireAsync(LockRequest.of("job-" + i)).thenAccept(lease -> {
                    allRun.countDown();
                    Latches.await(allRun);
                    lease.release();
                }))
                .toList();
        attached.countDown();

        assertThat(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)))
                .succeedsWithin(TestRun.TIMEOUT);
    }

    @Test
    void lossStageDoesNotCompleteOnManagerThread() {
        Lease lease = locks.tryAcquire("job").orElseThrow();
        CompletableFuture<Thread> thread =
                lease.lost().thenApply(lost -> Thread.currentThread()).toCompletableFuture();

        locks.close();

        assertThat(thread)
                .succeedsWithin(TestRun.TIMEOUT)
                .extracting(Thread::getName, as(STRING))
                .contains("-completion-");
    }

    @Test
    void continuationsRunOnTheCallersExecutor() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CountDownLatch slow = new CountDownLatch(1);
        try (LockManager own =
                LockManager.builder(store).asyncExecutor(Runnable::run).build()) {
            store.next(Fault.first(() -> awaitLatch(slow)));

            var done = own.acquireAsync(LockRequest.of("own")).thenAccept(lease -> {
                thread.set(Thread.currentThread());
                lease.release();
            });
            slow.countDown();
            done.join();
        }

        assertThat(thread.get()).extracting(Thread::getName, as(STRING)).contains("-worker-");
    }

    @Test
    void interruptWhileAwaitingResponseLeavesNoRow() throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        store.next(request -> {
            var unused = request.get();
            sent.countDown();
            if (awaitLatch(never)) {
                throw new LockStoreException("job", "interrupted", null, true, false);
            }
            throw new AssertionError("not interrupted");
        });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = started(() -> {
            try {
                locks.acquire(patient);
            } catch (InterruptedException | RuntimeException expected) {
                thrown.set(expected);
            }
            return;
        });
        assertThat(sent.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        waiter.interrupt();
        waiter.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        await().untilAsserted(
                        () -> assertThat(Node.row(store.rows(), "job").isFree()).isTrue());
    }

    @Test
    void interruptEndsWaitOfTryAcquire() throws InterruptedException {
        Lease held = locks.tryAcquire("job").orElseThrow();
        try (LockManager waiting = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .waitTime(Duration.ofMinutes(10))
                .shutdownGrace(Duration.ZERO)
                .build()) {
            AtomicReference<List<Object>> result = new AtomicReference<>();
            Thread waiter = started(() -> result.set(
                    List.of(waiting.tryAcquire("job"), Thread.currentThread().isInterrupted())));
            await().until(() -> store.operations().contains(Operation.READ));

            waiter.interrupt();
            waiter.join();

            assertThat(result.get()).containsExactly(Optional.empty(), true);
        }
        assertThat(held.isHeld()).isTrue();
    }

    /** A listener may inspect another lock although only one request may be in flight. */
    @Test
    void listenerMaySendRequests() throws InterruptedException {
        List<LockManager> managers = new ArrayList<>();
        AtomicReference<@Nullable LockState> seen = new AtomicReference<>();
        LockListener listener = new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                if (operation == Operation.ACQUIRE) {
                    seen.set(managers.get(0).inspect("job"));
                }
            }
        };
        try (LockManager small = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .maxConcurrentRequests(1)
                .callTimeout(Duration.ofSeconds(2))
                .listener(listener)
                .build()) {
            managers.add(small);

            small.tryAcquire("job").orElseThrow().release();
        }

        assertThat(seen.get()).isNotNull();
    }

    @Test
    void managerCloseEndsWaitForRequestSlot() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        LockManager small = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .maxConcurrentRequests(1)
                .callTimeout(Duration.ofMinutes(10))
                .attemptTimeout(Duration.ofMinutes(5))
                .leaseDuration(Duration.ofHours(1))
                .shutdownGrace(Duration.ZERO)
                .build();
        store.next(request -> {
            awaitLatch(never);
            return request.get();
        });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread stuck = started(() -> assertThatThrownBy(() -> small.tryAcquire("stuck")));
        await().until(() -> !store.operations().isEmpty());
        Thread waiter = started(() -> {
            try {
                small.tryAcquire("job");
            } catch (RuntimeException expected) {
                thrown.set(expected);
            }
        });
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        Thread closer = started(small::close);

        waiter.join(TestRun.TIMEOUT.toMillis());

        assertThat(thrown.get()).isInstanceOf(LockManagerClosedException.class);
        never.countDown();
        stuck.join();
        closer.join();
        assertThat(store.operations()).doesNotContain(Operation.READ).containsOnlyOnce(Operation.ACQUIRE);
    }

    /** Thousands of callers of a few names would fail for want of permits, if each had to send a request of its own. */
    @Test
    void callersQueueWhileAnotherAttempts() throws InterruptedException {
        int callers = 5;
        AtomicInteger waiting = new AtomicInteger();
        LockListener listener = new LockListener() {
            @Override
            public void onWaiting(LockState holder) {
                waiting.incrementAndGet();
            }
        };
        CountDownLatch sent = new CountDownLatch(1);
        try (LockManager rival =
                        LockManager.builder(store).time(LeaseTime.SYSTEM).build();
                LockManager small = LockManager.builder(store)
                        .time(LeaseTime.SYSTEM)
                        .leaseDuration(Duration.ofHours(1)) // so that no request waits too long on a busy machine
                        .maxConcurrentRequests(1)
                        .listener(listener)
                        .build()) {
            Lease held = rival.tryAcquire("job").orElseThrow();
            store.next(request -> {
                awaitLatch(sent);
                return request.get();
            });
            LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(5));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                threads.add(started(() -> small.acquire(patient).release()));
            }
            await().until(() -> threads.stream()
                            .filter(thread -> thread.getState() == Thread.State.TIMED_WAITING)
                            .count()
                    >= callers - 1);

            sent.countDown();
            await().until(() -> waiting.get() == callers);

            assertThat(store.operations()).filteredOn(Operation.ACQUIRE::equals).hasSize(2);
            held.release();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void fullRequestQueueFailsAndNamesTheRemedy() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        try (LockManager small = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .maxConcurrentRequests(1)
                .callTimeout(Duration.ofMillis(200))
                .attemptTimeout(Duration.ofMillis(200))
                .shutdownGrace(Duration.ZERO)
                .build()) {
            store.next(request -> {
                awaitLatch(never);
                return request.get();
            });
            Thread stuck = started(() -> {
                var unused = catchThrowable(() -> small.tryAcquire("stuck"));
            });
            await().until(() -> !store.operations().isEmpty());

            assertThatThrownBy(() -> small.tryAcquire("job"))
                    .isInstanceOfSatisfying(
                            LockStoreException.class,
                            failure -> assertThat(failure.isOutcomeUnknown()).isFalse())
                    .hasMessageContaining("maxConcurrentRequests")
                    .hasMessageContaining("'job'");

            never.countDown();
            stuck.join();
        }
    }

    @Test
    void lateRequestSlotPassesToNextRequest() throws InterruptedException {
        Node node = Node.alone(
                Node.settingsWith(builder -> builder.time(LeaseTime.SYSTEM).maxConcurrentRequests(1)));
        CountDownLatch answered = new CountDownLatch(1);
        node.store.next(Fault.first(() -> awaitLatch(answered)));
        Thread slow = started(() -> node.locks.inspect("slow"));
        await().until(() -> !node.store.operations().isEmpty());
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread late = started(() -> thrown.set(catchThrowable(() -> node.locks.inspect("late"))));
        await().until(() -> late.getState() == Thread.State.TIMED_WAITING);

        node.time.pass(Duration.ofMinutes(1));
        answered.countDown();
        slow.join();
        late.join();

        assertThat(thrown.get()).isInstanceOf(LockStoreException.class).hasMessageContaining("was not sent");
        assertThat(node.locks.inspect("next").status()).isEqualTo(LockState.Status.FREE);
        assertThat(node.store.operations()).hasSize(2);
    }

    @Test
    void requestWhoseCheckFailsReturnsItsSlot() {
        Node node = Node.alone(
                Node.settingsWith(builder -> builder.time(LeaseTime.SYSTEM).maxConcurrentRequests(1)));
        Duration lease = Duration.ofSeconds(30);
        Renew write = Writes.renew("job", "id", 1, lease, node.time.instant(), LeaseTime.SYSTEM);

        assertThatThrownBy(() -> node.context.client.renew("job", write, RequestTimeouts.of(lease), () -> {
                    throw new AssertionError("no");
                }))
                .hasMessage("no");

        assertThat(node.locks.inspect("next").status()).isEqualTo(LockState.Status.FREE);
        assertThat(node.store.operations()).containsExactly(Operation.READ);
    }

    /** Returns whether the thread was interrupted, and restores its flag. */
    private static boolean awaitLatch(CountDownLatch latch) {
        try {
            return !latch.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread started(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        thread.start();
        return thread;
    }
}
