/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import io.dynamolock.TestRun;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CollectingTimerTests {

    private static final long LATER = 120_000_000;
    private static final long HOUR = 3_600_000_000_000L;

    private final AtomicBoolean fails = new AtomicBoolean();
    private final ThreadFactory threads = task -> {
        if (fails.get()) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return Executors.defaultThreadFactory().newThread(task);
    };
    private final CollectingTimer timer = new CollectingTimer(threads, System::nanoTime);

    @AfterEach
    void shutDown() {
        timer.shutdownNow();
    }

    @Test
    void runsCollectedTaskAtItsTime() {
        long moment = System.nanoTime() + LATER;
        CountDownLatch ran = new CountDownLatch(1);
        AtomicLong ranAt = new AtomicLong();

        timer.at(moment, () -> {
            ranAt.set(System.nanoTime());
            ran.countDown();
        });

        Latches.await(ran);
        assertThat(ranAt.get() - moment).isNotNegative();
    }

    @Test
    void taskCancelledSoonNeverEntersTheQueue() {
        CountDownLatch holding = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch collected = new CountDownLatch(1);
        timer.at(System.nanoTime(), () -> {
            holding.countDown();
            Latches.await(release);
        });
        Latches.await(holding);

        for (int i = 0; i < 10; i++) {
            timer.at(System.nanoTime() + HOUR, () -> {}).cancel();
        }
        Scheduler.Scheduled kept = timer.at(System.nanoTime() + HOUR, () -> {});
        timer.at(System.nanoTime() + HOUR / 2, () -> {});
        assertThat(timer.getQueue()).as("the end of the collection").hasSize(1);
        kept.cancel();
        timer.at(System.nanoTime() + LATER, collected::countDown);
        release.countDown();

        Latches.await(collected);
        assertThat(timer.getQueue()).hasSize(1);
    }

    @Test
    void taskCancelledLateLeavesTheQueue() {
        Scheduler.Scheduled task = timer.at(System.nanoTime() + HOUR, () -> {});
        await().atMost(TestRun.TIMEOUT)
                .untilAsserted(() ->
                        assertThat(timer.getQueue()).singleElement().asString().contains("CollectingTimer$Task"));

        task.cancel();

        assertThat(timer.getQueue()).isEmpty();
    }

    @Test
    void everyTaskRunsOnceWhateverTheMomentOfItsArrival() {
        int callers = 4;
        int tasks = 300;
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(callers * tasks);
        Runnable task = () -> {
            runs.incrementAndGet();
            all.countDown();
        };
        for (int i = 0; i < callers; i++) {
            new Thread(() -> {
                        for (int sent = 0; sent < tasks; sent++) {
                            timer.at(System.nanoTime() + LATER, task);
                            LockSupport.parkNanos(500_000); // over several collections
                        }
                    })
                    .start();
        }

        Latches.await(all);

        assertThat(runs).hasValue(callers * tasks);
    }

    @Test
    void nextTaskStartsTheThreadThatCouldNotBeStarted() {
        CountDownLatch both = new CountDownLatch(2);
        fails.set(true);
        assertThatThrownBy(() -> timer.at(System.nanoTime() + LATER, both::countDown))
                .isInstanceOf(OutOfMemoryError.class);
        fails.set(false);

        timer.at(System.nanoTime() + LATER, both::countDown);

        Latches.await(both);
    }

    @Test
    void shutDownTimerIgnoresTasks() {
        timer.shutdownNow();

        timer.at(System.nanoTime() + LATER, () -> {}).cancel();
        timer.at(System.nanoTime(), () -> {}).cancel();

        assertThat(timer.getQueue()).isEmpty();
    }
}
