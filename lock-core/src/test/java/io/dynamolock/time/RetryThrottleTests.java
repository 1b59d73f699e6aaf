/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryThrottleTests extends ThreadPoolFixture {

    @Test
    void retriesUseAtMostHalfTheThreads() throws InterruptedException {
        scheduler = new ThreadPoolScheduler(8, WORKERS, System::nanoTime, Runnable::run);
        AtomicInteger retrying = new AtomicInteger();
        hangRetries(100, retrying);
        await().untilAsserted(() -> assertThat(retrying).hasValue(4));
        await().during(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(retrying).hasValue(4));

        CountDownLatch others = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            scheduler.renew(Long.MAX_VALUE / 2, () -> {
                others.countDown();
                hold();
            });
        }

        assertReached(others);
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
                ran.add("renewal " + number);
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
        RetryThrottle throttle = new RetryThrottle(
                16,
                renewal -> {
                    if (noThread.getAndSet(false)) {
                        throw new IllegalStateException("no thread");
                    }
                    renewal.run();
                },
                deferred -> {});
        AtomicInteger concurrencyLimit = new AtomicInteger();

        assertThatIllegalStateException().isThrownBy(() -> throttle.submitFirst(0, () -> {}));
        retryWithin(throttle, concurrencyLimit);

        assertThat(concurrencyLimit).hasValue(8);
    }

    /** Starts each one while all earlier ones are running. */
    private static void retryWithin(RetryThrottle throttle, AtomicInteger concurrencyLimit) {
        throttle.submitRetry(0, () -> {
            if (concurrencyLimit.incrementAndGet() < 16) {
                retryWithin(throttle, concurrencyLimit);
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
}
