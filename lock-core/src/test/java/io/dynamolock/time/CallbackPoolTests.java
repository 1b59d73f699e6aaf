/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pool of callbacks, with a second that passes when the test says so. */
@Timeout(120)
class CallbackPoolTests {

    private final Deque<Runnable> checks = new ArrayDeque<>();
    private final CallbackPool pool = new CallbackPool(Thread::new, checks::add);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void close() {
        mayEnd.countDown();
        pool.shutdownNow();
    }

    @Test
    void hundredHangingCallbacksDelayOthersByFiveSeconds() {
        for (int i = 0; i < 100; i++) {
            pool.execute(this::hang);
        }
        pool.execute(begun::incrementAndGet);

        for (int second = 0; second < 5; second++) {
            int expected = 4 << second;
            await().untilAsserted(() -> assertThat(begun).hasValue(expected));
            pass();
        }

        await().untilAsserted(() -> assertThat(begun).hasValue(101));
        assertThat(pool.getMaximumPoolSize()).isLessThanOrEqualTo(101);
    }

    @Test
    void threadsEndOnceFewAreBusy() {
        for (int i = 0; i < 8; i++) {
            pool.execute(this::hang);
        }
        await().untilAsserted(() -> assertThat(begun).hasValue(4));
        pass();
        await().untilAsserted(() -> assertThat(begun).hasValue(8));
        pass();
        assertThat(pool.getMaximumPoolSize()).isEqualTo(8);

        mayEnd.countDown();
        await().until(() -> pool.getActiveCount() == 0);
        pass();

        assertThat(pool.getMaximumPoolSize()).isEqualTo(4);
        assertThat(checks).isEmpty();
    }

    @Test
    void quickCallbacksGetNoMoreThreads() {
        CountDownLatch queued = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            pool.execute(this::hang);
        }
        pool.execute(() -> awaitUnlessClosed(queued));
        for (int i = 0; i < 10; i++) {
            pool.execute(begun::incrementAndGet);
        }
        pool.execute(this::hang);
        pool.execute(begun::incrementAndGet);
        queued.countDown();
        await().until(() -> pool.getCompletedTaskCount() == 11);

        pass();
        assertThat(pool.getMaximumPoolSize()).isEqualTo(4);

        pass(); // meanwhile none has ended
        assertThat(pool.getMaximumPoolSize()).isEqualTo(5);
    }

    private void pass() {
        Objects.requireNonNull(checks.poll()).run();
    }

    private void hang() {
        begun.incrementAndGet();
        awaitUnlessClosed(mayEnd);
    }

    private static void awaitUnlessClosed(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
