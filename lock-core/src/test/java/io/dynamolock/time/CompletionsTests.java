/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CompletionsTests extends ThreadPoolFixture {

    @Test
    void completesOnCallerIfExecutorFails() {
        Thread here = Thread.currentThread();
        List<Thread> threads = new ArrayList<>();
        ThreadPoolScheduler failing = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {
            throw new OutOfMemoryError("unable to create native thread");
        });

        failing.complete(() -> threads.add(Thread.currentThread()));
        failing.close(TIMEOUT);

        assertThat(threads).containsExactly(here);
    }

    @Test
    void executorThatDropsTasksDelaysTheCompletion() throws InterruptedException {
        AtomicLong nanos = new AtomicLong();
        ThreadPoolScheduler dropping = new ThreadPoolScheduler(1, WORKERS, nanos::get, action -> {});
        CountDownLatch completed = new CountDownLatch(1);

        dropping.complete(completed::countDown);
        assertThat(completed.getCount()).isOne();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        dropping.schedule(0, () -> {}); // wakes the timer

        assertReached(completed);
        dropping.close(TIMEOUT);
    }

    @Test
    void closeRunsWhatTheExecutorHasDropped() {
        ThreadPoolScheduler dropping = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {});
        dropping.complete(() -> ran.add("before the close"));

        dropping.close(TIMEOUT);
        dropping.complete(() -> ran.add("after the close"));

        assertThat(ran).containsExactly("before the close", "after the close");
    }

    @Test
    void lateExecutorRunsNothingTwice() throws InterruptedException {
        AtomicLong nanos = new AtomicLong();
        List<Runnable> queue = new ArrayList<>();
        ThreadPoolScheduler late = new ThreadPoolScheduler(1, WORKERS, nanos::get, queue::add);
        CountDownLatch checked = new CountDownLatch(1);

        late.complete(() -> ran.add("completion"));
        queue.get(0).run();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        late.schedule(nanos.get(), () -> late.callBack(checked::countDown));

        assertReached(checked);
        late.close(TIMEOUT);
        assertThat(ran).containsExactly("completion");
    }

    @Test
    void executorFailureDoesNotBlockRenewalThreads() throws InterruptedException {
        ThreadPoolScheduler failing = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, action -> {
            throw new IllegalStateException("full");
        });

        assertThat(completers(failing)).allMatch(thread -> thread.contains("-notify-"));
        failing.close(TIMEOUT);
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
        poor.close(TIMEOUT);
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

        Thread closer = new Thread(() -> scheduler.close(TIMEOUT));
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
        failing.close(TIMEOUT);

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
}
