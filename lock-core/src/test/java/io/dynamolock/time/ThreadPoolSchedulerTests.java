/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import io.dynamolock.TestRun;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ThreadPoolSchedulerTests extends ThreadPoolFixture {

    // order

    @Test
    void runsRenewalsInDeadlineOrderAcrossOverflow() throws InterruptedException {
        holdTheOnlyRenewal();
        scheduler.renew(Long.MIN_VALUE + 50, () -> ran.add("third"));
        scheduler.renew(Long.MAX_VALUE - 50, () -> ran.add("second"));
        scheduler.renew(Long.MAX_VALUE - 90, () -> ran.add("first"));
        CountDownLatch last = new CountDownLatch(1);
        scheduler.renew(Long.MIN_VALUE + 90, last::countDown);

        release.countDown();

        assertReached(last);
        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Test
    void runsRenewalsOfEqualDeadlineInFifoOrder() throws InterruptedException {
        holdTheOnlyRenewal();
        List<String> submitted = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String name = "renewal " + i;
            submitted.add(name);
            scheduler.renew(7, () -> ran.add(name));
        }
        CountDownLatch last = new CountDownLatch(1);
        scheduler.renew(8, last::countDown);

        release.countDown();

        assertReached(last);
        assertThat(ran).containsExactlyElementsOf(submitted);
    }

    @Test
    void runsTimersInTimeOrder() throws InterruptedException {
        holdTheTimer();
        long now = System.nanoTime();
        CountDownLatch last = new CountDownLatch(1);
        scheduler.schedule(now + 300_000_000, last::countDown);
        scheduler.schedule(now + 200_000_000, () -> ran.add("second"));
        scheduler.schedule(now + 100_000_000, () -> ran.add("first"));

        release.countDown();

        assertReached(last);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void runsNoTimerEarly() throws InterruptedException {
        long moment = System.nanoTime() + 50_000_000;
        CountDownLatch reached = new CountDownLatch(1);
        AtomicLong calledAt = new AtomicLong();

        scheduler.schedule(moment, () -> {
            calledAt.set(System.nanoTime());
            reached.countDown();
        });

        assertReached(reached);
        assertThat(calledAt.get() - moment).isNotNegative();
    }

    @Test
    void usesGivenClockAcrossOverflow() throws InterruptedException {
        long frozen = Long.MAX_VALUE - 10;
        scheduler = new ThreadPoolScheduler(1, WORKERS, () -> frozen, Runnable::run);
        CountDownLatch soon = new CountDownLatch(1);
        CountDownLatch overdue = new CountDownLatch(1);

        scheduler.schedule(frozen + 20_000_000, soon::countDown);
        scheduler.schedule(frozen - 20_000_000, overdue::countDown);

        assertReached(overdue);
        assertReached(soon);
    }

    @Test
    void neverRunsCancelledTimer() throws InterruptedException {
        holdTheTimer();
        long now = System.nanoTime();
        CountDownLatch later = new CountDownLatch(1);
        Scheduler.Scheduled calledOff = scheduler.schedule(now + 1_000_000, () -> ran.add("called off"));
        scheduler.schedule(now + 2_000_000, later::countDown);

        calledOff.cancel();
        release.countDown();

        assertReached(later);
        assertThat(ran).isEmpty();
    }

    // pools

    @Test
    void runsAsManyConcurrentRenewalsAsAllowed() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch all = new CountDownLatch(MORE_THAN_ANY_POOL);
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.renew(i, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                three.countDown();
                hold();
                running.decrementAndGet();
                all.countDown();
            });
        }

        assertReached(three);
        release.countDown();

        assertReached(all);
        assertThat(most).hasValue(3);
    }

    @Test
    void concurrencyNeverExceedsCurrentLimitOrMaximum() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run);

        scheduler.limit(2);
        int limited = mostConcurrentRenewals();
        scheduler.limit(64);
        int allowed = mostConcurrentRenewals();
        scheduler.limit(1);
        int unused = mostConcurrentRenewals(); // each idle thread may take one
        int limitedAgain = mostConcurrentRenewals();

        assertThat(List.of(limited, allowed, limitedAgain)).containsExactly(2, 3, 1);
    }

    private int mostConcurrentRenewals() throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(MORE_THAN_ANY_POOL);
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.renew(i, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                LockSupport.parkNanos(200_000);
                running.decrementAndGet();
                all.countDown();
            });
        }
        assertReached(all);
        return most.get();
    }

    @Test
    void workAndCallbacksUseFewThreads() throws InterruptedException {
        Set<Thread> workers = ConcurrentHashMap.newKeySet();
        Set<Thread> callbackThreads = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(2 * MORE_THAN_ANY_POOL);
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.submit(Rank.ACQUIRE, () -> noteThread(workers, all));
            scheduler.callBack(() -> noteThread(callbackThreads, all));
        }

        release.countDown();

        assertReached(all);
        assertThat(workers).hasSizeBetween(1, 64);
        assertThat(callbackThreads).hasSizeBetween(1, 4);
    }

    private void noteThread(Set<Thread> threads, CountDownLatch all) {
        hold();
        threads.add(Thread.currentThread());
        all.countDown();
    }

    @Test
    void workDelaysNothingElse() throws InterruptedException {
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.submit(Rank.ACQUIRE, this::hold);
        }
        CountDownLatch others = new CountDownLatch(3);

        scheduler.renew(0, others::countDown);
        scheduler.callBack(others::countDown);
        scheduler.schedule(System.nanoTime(), others::countDown);

        assertReached(others);
    }

    @Test
    void callbacksDelayNothingElse() throws InterruptedException {
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.callBack(this::hold);
        }
        CountDownLatch others = new CountDownLatch(3);

        scheduler.renew(0, others::countDown);
        scheduler.submit(Rank.ACQUIRE, others::countDown);
        scheduler.schedule(System.nanoTime(), others::countDown);

        assertReached(others);
    }

    @Test
    void renewalsDelayNothingElse() throws InterruptedException {
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.renew(i, this::hold);
        }
        CountDownLatch others = new CountDownLatch(3);

        scheduler.submit(Rank.ACQUIRE, others::countDown);
        scheduler.callBack(others::countDown);
        scheduler.schedule(System.nanoTime(), others::countDown);

        assertReached(others);
    }

    // failures

    @Test
    void throwingTaskEndsNoThread() throws InterruptedException {
        AtomicReference<Thread> before = new AtomicReference<>();
        AtomicReference<Thread> after = new AtomicReference<>();
        CountDownLatch last = new CountDownLatch(1);

        scheduler.renew(1, () -> {
            before.set(Thread.currentThread());
            throw new StackOverflowError("on purpose");
        });
        scheduler.renew(2, () -> {
            throw new IllegalStateException("on purpose");
        });
        scheduler.renew(3, () -> {
            after.set(Thread.currentThread());
            last.countDown();
        });

        assertReached(last);
        assertThat(after).hasValue(before.get());
    }

    @Test
    void throwingTimerTaskDoesNotEndTimer() throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);

        scheduler.schedule(System.nanoTime(), () -> {
            throw new StackOverflowError("on purpose");
        });
        scheduler.schedule(System.nanoTime() + 1_000_000, last::countDown);

        assertReached(last);
    }

    // threads

    @Test
    void startsThreadsLazily() throws InterruptedException {
        Set<Thread> before = dynamolockThreads();
        ThreadPoolScheduler idle = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        Set<Thread> afterConstruction = dynamolockThreads();
        CountDownLatch renewed = new CountDownLatch(1);
        idle.renew(0, renewed::countDown);
        assertReached(renewed);

        Set<Thread> afterOneRenewal = dynamolockThreads();
        idle.close(TIMEOUT);

        afterConstruction.removeAll(before);
        afterOneRenewal.removeAll(before);
        assertThat(afterConstruction).isEmpty();
        assertThat(afterOneRenewal).hasSize(1).allMatch(Thread::isDaemon);
    }

    @Test
    void leavesNoThreadAfterClose() throws InterruptedException {
        Set<Thread> before = dynamolockThreads();
        useEveryPool();
        Set<Thread> mine = dynamolockThreads();
        mine.removeAll(before);

        scheduler.close(TIMEOUT);

        assertThat(mine).hasSizeGreaterThanOrEqualTo(4);
        await().until(() -> mine.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void startsAndClosesAHundredTimes() throws InterruptedException {
        Set<Thread> before = dynamolockThreads();
        for (int i = 0; i < 100; i++) {
            scheduler = new ThreadPoolScheduler(2, WORKERS, System::nanoTime, Runnable::run);
            useEveryPool();
            scheduler.schedule(System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> ran.add("too early"));
            scheduler.close(TIMEOUT);
        }

        await().until(() -> before.containsAll(dynamolockThreads()));
        assertThat(ran).isEmpty();
    }

    @Test
    void leavesNoThreadWhenIdle() throws InterruptedException {
        scheduler.keepIdleThreads(Duration.ofMillis(50));
        Set<Thread> before = dynamolockThreads();
        useEveryPool();
        Set<Thread> mine = dynamolockThreads();
        mine.removeAll(before);

        await().until(() -> mine.stream().noneMatch(Thread::isAlive));

        useEveryPool();
    }

    // close

    @Test
    void closeWaitsForRunningTasksWithoutInterrupt() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        scheduler.submit(Rank.ACQUIRE, () -> {
            started.countDown();
            hold();
            interrupted.set(Thread.currentThread().isInterrupted());
            ran.add("to its end");
        });
        assertReached(started);

        Thread closing = closeOnAnotherThread();
        release.countDown();
        closing.join();

        assertThat(ran).containsExactly("to its end");
        assertThat(interrupted).isFalse();
    }

    @Test
    void closeRunsQueuedWorkButNoRenewals() throws InterruptedException {
        holdTheOnlyRenewal();
        for (int i = 0; i < MORE_THAN_ANY_POOL; i++) {
            scheduler.submit(Rank.ACQUIRE, this::hold);
        }
        scheduler.renew(0, () -> ran.add("renewal"));
        scheduler.submit(Rank.ACQUIRE, () -> ran.add("work"));

        Thread closing = closeOnAnotherThread();
        release.countDown();
        closing.join();

        assertThat(ran).containsExactly("work");
    }

    @Test
    void closeInterruptsTasksAfterTimeout() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        scheduler.renew(0, () -> {
            started.countDown();
            try {
                release.await();
            } catch (InterruptedException expected) {
                interrupted.countDown();
            }
        });
        assertReached(started);

        scheduler.close(Duration.ofMillis(10));

        assertReached(interrupted);
    }

    @Test
    void closeByOwnThreadDoesNotWaitForItself() throws InterruptedException {
        Consumer<Runnable> renewal = action -> scheduler.renew(0, action);
        Consumer<Runnable> work = action -> scheduler.submit(Rank.RELEASE, action);
        Consumer<Runnable> callback = action -> scheduler.callBack(action);
        Consumer<Runnable> timer = action -> scheduler.schedule(System.nanoTime(), action);
        for (Consumer<Runnable> pool : List.of(renewal, work, callback, timer)) {
            scheduler = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, Runnable::run);
            CountDownLatch closed = new CountDownLatch(1);
            pool.accept(() -> {
                scheduler.close(Duration.ofMinutes(10));
                closed.countDown();
            });
            assertReached(closed);
        }
    }

    @Test
    void interruptHastensCloseAndIsKept() throws InterruptedException {
        holdTheOnlyRenewal();
        AtomicBoolean kept = new AtomicBoolean();
        Thread closing = new Thread(() -> {
            scheduler.close(Duration.ofMinutes(10));
            kept.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        awaitWaiting(closing);

        closing.interrupt();
        closing.join();

        assertThat(kept).isTrue();
    }

    @Test
    void ignoresTasksAfterClose() {
        scheduler.close(TIMEOUT);

        assertThatNoException().isThrownBy(() -> {
            scheduler.renew(0, () -> ran.add("renewal"));
            scheduler.submit(Rank.ACQUIRE, () -> ran.add("work"));
            scheduler.callBack(() -> ran.add("callback"));
            scheduler.schedule(System.nanoTime(), () -> ran.add("timer")).cancel();
            scheduler.close(TIMEOUT);
        });
        assertThat(ran).isEmpty();
    }

    @Test
    void releasesPrecedeUndosAndUndosPrecedeReads() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            scheduler.submit(Rank.ACQUIRE, () -> Latches.await(busy));
        }
        Queue<Rank> order = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(3);
        scheduler.limit(1);
        for (Rank rank : List.of(Rank.ACQUIRE, Rank.UNDO, Rank.RELEASE)) {
            scheduler.submit(rank, () -> {
                order.add(rank);
                done.countDown();
            });
        }

        busy.countDown();

        assertThat(done.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly(Rank.RELEASE, Rank.UNDO, Rank.ACQUIRE);
    }

    @Test
    void threadsInheritNothingFromTheirCreator() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("of the caller");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        CompletableFuture<List<Object>> seen = new CompletableFuture<>();
        try {
            Thread.currentThread().setContextClassLoader(new ClassLoader(before) {});
            scheduler.submit(
                    Rank.ACQUIRE,
                    () -> seen.complete(List.of(
                            String.valueOf(local.get()), Thread.currentThread().getContextClassLoader())));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }

        assertThat(seen.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .containsExactly("null", ThreadPoolScheduler.class.getClassLoader());
    }
}
