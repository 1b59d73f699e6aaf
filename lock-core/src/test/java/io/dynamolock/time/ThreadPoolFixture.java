/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.TestRun;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A scheduler with one thread for renewals, and tasks that hold its threads until the test releases them. */
@Timeout(120)
abstract class ThreadPoolFixture {

    static final Duration TIMEOUT = TestRun.TIMEOUT;
    static final int WORKERS = 8;
    static final int MORE_THAN_ANY_POOL = 200;

    final CountDownLatch release = new CountDownLatch(1);
    final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    ThreadPoolScheduler scheduler = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, Runnable::run);

    @AfterEach
    void close() {
        release.countDown();
        scheduler.close(TIMEOUT);
    }

    /** Makes the given number of thread starts fail whose names contain a text. */
    static Consumer<String> failing(String part, int times) {
        AtomicInteger left = new AtomicInteger(times);
        return thread -> {
            if (thread.contains(part) && left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
    }

    void holdTheOnlyRenewal() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.renew(0, () -> {
            started.countDown();
            hold();
        });
        assertReached(started);
    }

    void holdTheTimer() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        scheduler.schedule(System.nanoTime(), () -> {
            started.countDown();
            hold();
        });
        assertReached(started);
    }

    void hold() {
        try {
            release.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    void useEveryPool() throws InterruptedException {
        CountDownLatch used = new CountDownLatch(4);
        scheduler.schedule(System.nanoTime(), used::countDown);
        scheduler.renew(0, used::countDown);
        scheduler.submit(Rank.ACQUIRE, used::countDown);
        scheduler.callBack(used::countDown);
        assertReached(used);
    }

    Thread closeOnAnotherThread() {
        Thread closing = new Thread(() -> scheduler.close(TIMEOUT));
        closing.start();
        awaitWaiting(closing);
        return closing;
    }

    static void awaitWaiting(Thread thread) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    static void assertReached(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    static Set<Thread> dynamolockThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("dynamolock-"))
                .collect(Collectors.toSet());
    }
}
