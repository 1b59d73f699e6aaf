/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import io.dynamolock.TestRun;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ThreadPoolSchedulerTests {

    private static final Duration PATIENCE = TestRun.PATIENCE;
    static final int WORKERS = 8;
    private static final int MORE_THAN_ANY_POOL = 200;

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    private ThreadPoolScheduler scheduler = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, Runnable::run);

    @AfterEach
    void close() {
        release.countDown();
        scheduler.close(PATIENCE);
    }

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
        List<String> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            String name = "beat " + i;
            asked.add(name);
            scheduler.renew(7, () -> ran.add(name));
        }
        CountDownLatch last = new CountDownLatch(1);
        scheduler.renew(8, last::countDown);

        release.countDown();

        assertReached(last);
        assertThat(ran).containsExactlyElementsOf(asked);
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

    // completions

    @Test
    void completesOnCallerIfExecutorFails() {
        Thread here = Thread.currentThread();
        List<Thread> threads = new ArrayList<>();
        ThreadPoolScheduler failing = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {
            throw new OutOfMemoryError("unable to create native thread");
        });

        failing.complete(() -> threads.add(Thread.currentThread()));
        failing.close(PATIENCE);

        assertThat(threads).containsExactly(here);
    }

    @Test
    void executorFailureDoesNotBlockRenewalThreads() throws InterruptedException {
        ThreadPoolScheduler failing = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {
            throw new IllegalStateException("full");
        });

        assertThat(completers(failing)).allMatch(thread -> thread.contains("-notify-"));
        failing.close(PATIENCE);
    }

    @Test
    void directExecutorDoesNotBlockRenewalThreads() throws InterruptedException {
        assertThat(completers(scheduler)).allMatch(thread -> thread.contains("-notify-"));
    }

    @Test
    void missingCallbackThreadDoesNotBlockRenewalThreads() throws InterruptedException {
        ThreadPoolScheduler poor = new ThreadPoolScheduler(
                1, WORKERS, System::nanoTime, null, failing("-completion-", MORE_THAN_ANY_POOL));

        assertThat(completers(poor)).allMatch(thread -> thread.contains("-notify-"));
        poor.close(PATIENCE);
    }

    /** Returns the threads on which completions of the timer and of a heartbeat thread run. */
    private static List<String> completers(ThreadPoolScheduler scheduler) throws InterruptedException {
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch both = new CountDownLatch(2);
        Runnable completion = () -> {
            threads.add(Thread.currentThread().getName());
            both.countDown();
        };
        scheduler.schedule(System.nanoTime(), () -> scheduler.complete(completion));
        scheduler.renew(0, () -> scheduler.complete(completion));
        assertReached(both);
        return threads;
    }

    @Test
    void completesOnCallerAfterManagerClose() throws InterruptedException {
        CountDownLatch completed = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        scheduler.renew(0, () -> {
            Latches.await(closing);
            awaitClosed();
            scheduler.complete(completed::countDown);
        });

        Thread closer = new Thread(() -> scheduler.close(PATIENCE));
        closer.start();
        closing.countDown();

        assertReached(completed);
        closer.join();
    }

    private void awaitClosed() {
        await().until(() -> !scheduler.callBack(() -> {}));
    }

    @Test
    void completesOnceIfExecutorFailsAfterRunning() {
        ThreadPoolScheduler failing = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {
            action.run();
            throw new IllegalStateException("after the work");
        });

        failing.complete(() -> ran.add("completion"));
        failing.close(PATIENCE);

        assertThat(ran).containsExactly("completion");
    }

    @Test
    void callbacksWithoutThreadStillRunOnClose() {
        for (int i = 0; i < 10; i++) {
            scheduler.callBack(() -> Latches.await(release));
        }
        scheduler.callBack(() -> ran.add("callback"));

        scheduler.close(Duration.ofMillis(10));
        release.countDown();

        await().until(() -> ran.contains("callback"));
    }

    @Test
    void callbackThatClosesDoesNotWaitForItself() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);

        scheduler.callBack(() -> {
            scheduler.close(Duration.ofHours(1));
            closed.countDown();
        });

        assertReached(closed);
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

    // retries

    @Test
    void retriesUseAtMostHalfTheThreads() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        AtomicInteger retrying = new AtomicInteger();
        hangRetries(100, retrying);

        CountDownLatch others = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            scheduler.renew(Long.MAX_VALUE / 2, () -> {
                others.countDown();
                hold();
            });
        }

        assertReached(others);
        await().untilAsserted(() -> assertThat(retrying).hasValue(4));
        await().during(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(retrying).hasValue(4));
    }

    @Test
    void retriesUseOneEighthWhileFirstAttemptWaits() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        CountDownLatch full = new CountDownLatch(8);
        CountDownLatch onward = new CountDownLatch(1);
        AtomicInteger retrying = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            scheduler.renew(i, () -> {
                full.countDown();
                Latches.await(onward);
            });
        }
        assertReached(full);
        hangRetries(100, retrying);
        CountDownLatch others = new CountDownLatch(7);
        for (int i = 0; i < 10; i++) {
            scheduler.renew(Long.MAX_VALUE / 2, () -> {
                others.countDown();
                hold();
            });
        }

        onward.countDown();

        assertReached(others);
        assertThat(retrying).hasValue(1);
    }

    @Test
    void deferredRetriesRunInDeadlineOrder() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(2, WORKERS, System::nanoTime, Runnable::run);
        CountDownLatch started = new CountDownLatch(1);
        scheduler.retryRenewal(0, () -> {
            started.countDown();
            hold();
        });
        assertReached(started);
        for (int i = 9; i > 0; i--) {
            String name = "retry " + i;
            scheduler.retryRenewal(i, () -> ran.add(name));
        }
        CountDownLatch last = new CountDownLatch(1);
        scheduler.retryRenewal(10, last::countDown);
        CountDownLatch passed = new CountDownLatch(1);
        scheduler.renew(20, passed::countDown); // until then, all retries were deferred
        assertReached(passed);

        release.countDown();

        assertReached(last);
        assertThat(ran)
                .containsExactly(
                        IntStream.rangeClosed(1, 9).mapToObj(i -> "retry " + i).toArray(String[]::new));
    }

    @Test
    void retriesUseFullShareWithoutWaitingFirstAttempts() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        CountDownLatch full = new CountDownLatch(8);
        CountDownLatch onward = new CountDownLatch(1);
        AtomicInteger retrying = new AtomicInteger();
        for (int i = 0; i < 16; i++) {
            scheduler.renew(i, () -> {
                full.countDown();
                Latches.await(onward);
            });
        }
        assertReached(full);
        hangRetries(100, retrying);

        onward.countDown();

        await().untilAsserted(() -> assertThat(retrying).hasValue(4));
    }

    @Test
    void everyRetryRunsOnceDespiteFailuresAndLimits() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        CountDownLatch all = new CountDownLatch(2_000);
        for (int i = 0; i < 2_000; i++) {
            int number = i;
            Runnable action = () -> {
                ran.add("beat " + number);
                all.countDown();
                if (number % 100 == 0) {
                    throw new StackOverflowError("on purpose");
                }
            };
            if (i % 3 == 0) {
                scheduler.renew(i, action);
            } else {
                scheduler.retryRenewal(i, action);
            }
            scheduler.limit(1 + i % 24);
        }

        assertReached(all);
        assertThat(ran).hasSize(2_000).doesNotHaveDuplicates();
    }

    @Test
    void higherLimitRunsMoreRetries() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        scheduler.limit(2);
        AtomicInteger retrying = new AtomicInteger();
        hangRetries(100, retrying);
        await().untilAsserted(() -> assertThat(retrying).hasValue(1));

        scheduler.limit(64);

        await().untilAsserted(() -> assertThat(retrying).hasValue(4));
    }

    @Test
    void closeDropsDeferredRetries() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(2, WORKERS, System::nanoTime, Runnable::run);
        AtomicInteger retrying = new AtomicInteger();
        hangRetries(100, retrying);
        await().untilAsserted(() -> assertThat(retrying).hasValue(1));

        Thread closing = closeOnAnotherThread();
        release.countDown();
        closing.join();

        assertThat(retrying).hasValue(1);
    }

    @Test
    void firstAttemptWithoutThreadDoesNotDeferRetries() {
        AtomicBoolean noThread = new AtomicBoolean(true);
        RetryThrottle line = new RetryThrottle(
                16,
                beat -> {
                    if (noThread.getAndSet(false)) {
                        throw new IllegalStateException("no thread");
                    }
                    beat.run();
                },
                heldBack -> {});
        AtomicInteger concurrencyLimit = new AtomicInteger();

        assertThatIllegalStateException().isThrownBy(() -> line.submitFirst(0, () -> {}));
        retryWithin(line, concurrencyLimit);

        assertThat(concurrencyLimit).hasValue(8);
    }

    /** Starts each one while all earlier ones are running. */
    private static void retryWithin(RetryThrottle line, AtomicInteger concurrencyLimit) {
        line.submitRetry(0, () -> {
            if (concurrencyLimit.incrementAndGet() < 16) {
                retryWithin(line, concurrencyLimit);
            }
        });
    }

    private void hangRetries(int count, AtomicInteger retrying) {
        for (int i = 0; i < count; i++) {
            scheduler.retryRenewal(i, () -> {
                retrying.incrementAndGet();
                hold();
            });
        }
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

    /** Makes the given number of thread starts fail whose names contain a text. */
    private static Consumer<String> failing(String part, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return thread -> {
            if (thread.contains(part) && left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
    }

    @Test
    void taskWithoutThreadRunsLater() throws InterruptedException {
        for (String pool : List.of("-heartbeat-", "-worker-", "-notify-")) {
            scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run, failing(pool, 3));
            CountDownLatch all = new CountDownLatch(3);

            scheduler.renew(0, all::countDown);
            assertThat(scheduler.submit(Rank.ACQUIRE, all::countDown)).isTrue();
            assertThat(scheduler.callBack(all::countDown)).isTrue();

            assertReached(all);
            scheduler.close(PATIENCE);
        }
    }

    @Test
    void queuedTaskRunsOnExistingThread() throws InterruptedException {
        AtomicBoolean noMore = new AtomicBoolean();
        scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run, thread -> {
            if (noMore.get() && thread.contains("-heartbeat-")) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        holdTheOnlyRenewal();
        noMore.set(true);
        CountDownLatch next = new CountDownLatch(1);

        scheduler.renew(0, next::countDown);
        release.countDown();

        assertReached(next);
    }

    @Test
    void taskIsRejectedIfNoThreadExists() {
        scheduler = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, null, failing("", MORE_THAN_ANY_POOL));

        assertThat(scheduler.submit(Rank.ACQUIRE, () -> ran.add("work"))).isFalse();
        assertThat(scheduler.callBack(() -> ran.add("callback"))).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> scheduler.renew(0, () -> ran.add("beat")));
        scheduler.complete(() -> ran.add("completion"));

        assertThat(ran).containsExactly("completion");
    }

    @Test
    void callbacksWithoutThreadRunOnClosingThread() {
        scheduler =
                new ThreadPoolScheduler(1, WORKERS, System::nanoTime, null, failing("-notify-", MORE_THAN_ANY_POOL));
        scheduler.callBack(() -> ran.add("callback"));

        scheduler.close(Duration.ofMillis(10));

        assertThat(ran).containsExactly("callback");
    }

    // threads

    @Test
    void startsThreadsLazily() throws InterruptedException {
        Set<Thread> before = dynamolockThreads();
        ThreadPoolScheduler idle = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        Set<Thread> afterConstruction = dynamolockThreads();
        CountDownLatch beaten = new CountDownLatch(1);
        idle.renew(0, beaten::countDown);
        assertReached(beaten);

        Set<Thread> afterOneBeat = dynamolockThreads();
        idle.close(PATIENCE);

        afterConstruction.removeAll(before);
        afterOneBeat.removeAll(before);
        assertThat(afterConstruction).isEmpty();
        assertThat(afterOneBeat).hasSize(1).allMatch(Thread::isDaemon);
    }

    @Test
    void leavesNoThreadAfterClose() throws InterruptedException {
        Set<Thread> before = dynamolockThreads();
        useEveryPool();
        Set<Thread> mine = dynamolockThreads();
        mine.removeAll(before);

        scheduler.close(PATIENCE);

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
            scheduler.close(PATIENCE);
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
        scheduler.renew(0, () -> ran.add("beat"));
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
        scheduler.close(PATIENCE);

        assertThatNoException().isThrownBy(() -> {
            scheduler.renew(0, () -> ran.add("beat"));
            scheduler.submit(Rank.ACQUIRE, () -> ran.add("work"));
            scheduler.callBack(() -> ran.add("tell"));
            scheduler.schedule(System.nanoTime(), () -> ran.add("at")).cancel();
            scheduler.close(PATIENCE);
        });
        assertThat(ran).isEmpty();
    }

    private void holdTheOnlyRenewal() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.renew(0, () -> {
            started.countDown();
            hold();
        });
        assertReached(started);
    }

    private void holdTheTimer() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.schedule(System.nanoTime(), () -> {
            started.countDown();
            hold();
        });
        assertReached(started);
    }

    private void hold() {
        try {
            release.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void useEveryPool() throws InterruptedException {
        CountDownLatch used = new CountDownLatch(4);
        scheduler.schedule(System.nanoTime(), used::countDown);
        scheduler.renew(0, used::countDown);
        scheduler.submit(Rank.ACQUIRE, used::countDown);
        scheduler.callBack(used::countDown);
        assertReached(used);
    }

    private Thread closeOnAnotherThread() {
        Thread closing = new Thread(() -> scheduler.close(PATIENCE));
        closing.start();
        awaitWaiting(closing);
        return closing;
    }

    private static void awaitWaiting(Thread thread) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private static void assertReached(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(TestRun.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static Set<Thread> dynamolockThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("dynamolock-"))
                .collect(Collectors.toSet());
    }

    @Test
    void releasesPrecedeUndosAndUndosPrecedeReads() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            scheduler.submit(Rank.ACQUIRE, () -> awaitQuietly(busy));
        }
        java.util.Queue<Rank> order = new java.util.concurrent.ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(3);
        scheduler.limit(1);
        for (Rank rank : List.of(Rank.ACQUIRE, Rank.UNDO, Rank.RELEASE)) {
            scheduler.submit(rank, () -> {
                order.add(rank);
                done.countDown();
            });
        }

        busy.countDown();

        assertThat(done.await(TestRun.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly(Rank.RELEASE, Rank.UNDO, Rank.ACQUIRE);
    }

    @Test
    void threadsInheritNothingFromTheirCreator() throws Exception {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
        local.set("of the caller");
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        java.util.concurrent.CompletableFuture<List<Object>> seen = new java.util.concurrent.CompletableFuture<>();
        try {
            Thread.currentThread().setContextClassLoader(new ClassLoader(before) {});
            scheduler.submit(
                    Rank.ACQUIRE,
                    () -> seen.complete(List.of(
                            String.valueOf(local.get()), Thread.currentThread().getContextClassLoader())));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }

        assertThat(seen.get(TestRun.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .containsExactly("null", ThreadPoolScheduler.class.getClassLoader());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }
}
