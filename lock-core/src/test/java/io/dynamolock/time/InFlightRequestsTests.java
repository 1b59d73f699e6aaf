/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Latches;
import io.dynamolock.TestRun;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class InFlightRequestsTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final InFlightRequests inFlight = new InFlightRequests(ThreadParker::new);
    private final AtomicBoolean interrupted = new AtomicBoolean();

    @Test
    void countsRequestsInFlight() {
        assertThat(inFlight.isEmpty()).isTrue();

        inFlight.enter();
        inFlight.enter();
        inFlight.exit();

        assertThat(inFlight.isEmpty()).isFalse();

        inFlight.exit();

        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void returnsImmediatelyWithoutRequests() {
        inFlight.awaitCompletion(LONG);

        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void waitsForLastRequest() throws InterruptedException {
        inFlight.enter();
        inFlight.enter();
        Thread waiting = waitingThread();

        inFlight.exit();
        awaitState(waiting, Thread.State.TIMED_WAITING);
        inFlight.exit();

        waiting.join();
        assertThat(interrupted).isFalse();
    }

    @Test
    void waitsAtMostItsTimeout() {
        inFlight.enter();

        inFlight.awaitCompletion(Duration.ofNanos(1));

        assertThat(inFlight.isEmpty()).isFalse();
    }

    @Test
    void waitsSlightlyLongerAfterProcessPause() {
        StandingStill process = new StandingStill();
        process.sender.start();
        await().until(() -> !process.inFlight.isEmpty());

        try {
            process.inFlight.awaitCompletion(Duration.ofSeconds(2));

            assertThat(process.inFlight.isEmpty()).isTrue();
        } finally {
            process.goesOn.countDown();
        }
    }

    /** Pauses for an hour in the first wait; requests in flight continue in the next one. */
    private static final class StandingStill implements Parker {

        private final InFlightRequests inFlight = new InFlightRequests(() -> this);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final Thread sender = new Thread(this::send);
        private long nanos;

        private void send() {
            inFlight.enter();
            Latches.await(goesOn);
            inFlight.exit();
        }

        @Override
        public void wake() {
            // no thread waits at that moment
        }

        @Override
        public void await(long unused) throws InterruptedException {
            if (nanos > 0) {
                goesOn.countDown();
                sender.join();
            }
            nanos += Duration.ofHours(1).toNanos();
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    @Test
    void interruptDoesNotEndWaitAndIsKept() throws InterruptedException {
        inFlight.enter();
        Thread waiting = waitingThread();

        waiting.interrupt();
        await().until(() -> !waiting.isInterrupted());
        awaitState(waiting, Thread.State.TIMED_WAITING);
        inFlight.exit();

        waiting.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void waitersAndQueriesDoNotBlockNewRequests() throws InterruptedException {
        inFlight.isEmpty();
        inFlight.awaitCompletion(LONG);
        Thread other = new Thread(inFlight::enter);
        other.setDaemon(true);

        other.start();
        other.join(TestRun.TIMEOUT.toMillis());

        assertThat(inFlight.isEmpty()).isFalse();
    }

    @Test
    void timeoutIsSlightlyLongerThanAnAttempt() {
        assertThat(InFlightRequests.waitTimeout(Duration.ofSeconds(3))).isEqualTo(Duration.ofMillis(3_100));
    }

    private Thread waitingThread() {
        Thread thread = new Thread(() -> {
            inFlight.awaitCompletion(LONG);
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.setDaemon(true);
        thread.start();
        awaitState(thread, Thread.State.TIMED_WAITING);
        return thread;
    }

    private static void awaitState(Thread thread, Thread.State state) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> thread.getState() == state);
    }
}
