/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class RequestTimerTests {

    private final RequestTimer timer = new RequestTimer();

    @AfterEach
    void shutDown() {
        timer.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 120})
    void timeoutRunsAtItsTime(long millis) {
        CountDownLatch ran = new CountDownLatch(1);
        AtomicLong elapsed = new AtomicLong();
        long start = System.nanoTime();

        Future<?> timeout = timer.schedule(
                () -> {
                    elapsed.set(System.nanoTime() - start);
                    ran.countDown();
                },
                millis,
                TimeUnit.MILLISECONDS);

        Latches.await(ran);
        assertThat(timeout).isNotNull();
        assertThat(Duration.ofNanos(elapsed.get())).isGreaterThanOrEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void answeredRequestNeitherWakesTheThreadNorLeavesAnything() {
        Future<?> first = timer.schedule(() -> {}, 1, TimeUnit.HOURS);

        for (int i = 0; i < 100; i++) {
            Future<?> timeout = timer.schedule(() -> {}, 10, TimeUnit.MINUTES);
            Delayed next = (Delayed) timer.getQueue().peek();
            assertThat(next).as("what the thread waits for").isNotNull().isNotSameAs(timeout);
            assertThat(next.getDelay(TimeUnit.SECONDS)).isZero();
            timeout.cancel(false);
        }

        assertThat(timer.getQueue())
                .as("the first timeout, and the tick")
                .hasSize(2)
                .contains((Runnable) first);
        assertThat(timer.getPoolSize()).isOne();
    }

    @Test
    void timeoutThatBlocksDelaysNoOther() {
        CountDownLatch blocked = new CountDownLatch(3);
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);

        for (int i = 0; i < 3; i++) {
            Future<?> unused = timer.schedule(
                    () -> {
                        blocked.countDown();
                        Latches.await(released);
                    },
                    1,
                    TimeUnit.MILLISECONDS);
        }
        Latches.await(blocked);
        Future<?> next = timer.schedule(ran::countDown, 1, TimeUnit.MILLISECONDS);

        Latches.await(ran);
        assertThat(next).isNotNull();
        released.countDown();
        await().untilAsserted(() -> assertThat(timer.getCorePoolSize()).isOne());
        await().untilAsserted(() -> assertThat(timer.getPoolSize()).isLessThanOrEqualTo(1));
    }

    @Test
    void threadEndsSoonAfterTheLastRequestAndStartsAgain() {
        timer.schedule(() -> {}, 1, TimeUnit.HOURS).cancel(false);

        await().untilAsserted(() -> assertThat(timer.getQueue()).isEmpty());
        await().untilAsserted(() -> assertThat(timer.getPoolSize()).isZero());

        CountDownLatch ran = new CountDownLatch(1);
        Future<?> next = timer.schedule(ran::countDown, 60, TimeUnit.MILLISECONDS);
        Latches.await(ran);
        assertThat(next).isNotNull();
    }

    /** Its response may arrive while the timeout runs; the SDK clears the flag that the timeout sets. */
    @Test
    void interruptOfRequestThatIsAnsweredDespiteItsTimeoutIsNotLost() {
        String response = RequestTimer.preservingInterrupt(() -> {
            Thread.currentThread().interrupt();
            runTimeout();
            assertThat(Thread.interrupted()).isTrue();
            return "response";
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(response).isEqualTo("response");
    }

    @Test
    void interruptBeforeTheEndOfRequestDoesNotReachLaterOne() {
        Thread.currentThread().interrupt();
        runTimeout();
        assertThat(Thread.interrupted()).isTrue();

        assertThat(RequestTimer.preservingInterrupt(() -> "response")).isEqualTo("response");
        assertThat(Thread.interrupted()).isFalse();
    }

    /** That of the call may fire just after that of its attempt, whose interrupt it finds. */
    @Test
    void secondTimeoutOfRequestInterruptsNothingAfterIt() {
        RequestTimer.preservingInterrupt(() -> {
            runTimeout(Thread.currentThread()::interrupt);
            runTimeout(Thread.currentThread()::interrupt);
            assertThat(Thread.interrupted()).isTrue();
            return "no response";
        });

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void interruptBeforeTwoTimeoutsOfRequestIsNotLost() {
        RequestTimer.preservingInterrupt(() -> {
            Thread.currentThread().interrupt();
            runTimeout(Thread.currentThread()::interrupt);
            assertThat(Thread.interrupted()).isTrue();
            runTimeout(() -> {});
            return "no response";
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void interruptOfRequestThatSentAnotherIsNotLost() {
        RequestTimer.preservingInterrupt(() -> {
            assertThat(RequestTimer.preservingInterrupt(() -> "credentials")).isEqualTo("credentials");
            Thread.currentThread().interrupt();
            runTimeout();
            assertThat(Thread.interrupted()).isTrue();
            return "response";
        });

        assertThat(Thread.interrupted()).isTrue();
    }

    /** It is not cancelled if it has begun before the response arrives. */
    @Test
    void lateTimeoutOfRequestRepeatsNoInterruptOfLaterOne() {
        Future<?> late = RequestTimer.preservingInterrupt(() -> timer.schedule(() -> {}, 100, TimeUnit.MILLISECONDS));

        RequestTimer.preservingInterrupt(() -> {
            Thread.currentThread().interrupt();
            awaitEnd(late);
            assertThat(Thread.interrupted()).isTrue();
            return "interrupted";
        });

        assertThat(Thread.interrupted()).isFalse();
    }

    private void runTimeout() {
        runTimeout(() -> {});
    }

    private void runTimeout(Runnable abort) {
        awaitEnd(timer.schedule(abort, 0, TimeUnit.NANOSECONDS));
    }

    private static void awaitEnd(Future<?> timeout) {
        while (!timeout.isDone()) {
            Thread.onSpinWait(); // whether interrupted or not
        }
    }
}
