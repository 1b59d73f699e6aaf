/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.dynamolock.Latches;
import io.dynamolock.TestRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a test clock that was moved has settled. */
class TestClockSchedulerTests {

    private final TestClockScheduler scheduler = new TestClockScheduler(
            new ThreadPoolScheduler(1, ThreadPoolFixture.WORKERS, System::nanoTime, Runnable::run),
            System::nanoTime,
            closed -> {});

    @AfterEach
    void close() {
        scheduler.close(Duration.ofSeconds(10));
    }

    private boolean settle() {
        return scheduler.settle(Duration.ZERO);
    }

    @Test
    void wokenCallerIsBusyUntilDone() throws InterruptedException {
        Parker pause = scheduler.callersParker();
        pause.wake();
        Thread settling = new Thread(this::settle);
        settling.start();
        await().until(() -> settling.getState() == Thread.State.TIMED_WAITING);

        pause.end();

        settling.join(TestRun.TIMEOUT.toMillis());
        assertThat(settling.isAlive()).isFalse();
    }

    /** A wake-up may come too late; it would never be undone. */
    @Test
    void wakeAfterEndIsIgnored() {
        Parker pause = scheduler.callersParker();

        pause.wake();
        pause.end();
        pause.wake();

        assertTimeout(TestRun.TIMEOUT, this::settle);
    }

    @Test
    void rejectedWorkIsIgnored() {
        scheduler.close(Duration.ofSeconds(10));

        boolean taken = scheduler.submit(Scheduler.Rank.ACQUIRE, () -> {});

        assertThat(taken).isFalse();
        assertTimeout(TestRun.TIMEOUT, this::settle);
    }

    @Test
    void waitsForRunningContinuationUpToTimeout() {
        CompletableFuture<Void> mayEnd = new CompletableFuture<>();
        scheduler.callBack(mayEnd::join);

        boolean called = settle();
        mayEnd.complete(null);

        assertThat(called).isFalse();
        await().until(this::settle);
    }

    /** The alarm rings when its scheduler has just settled, and its work goes on until that settles again. */
    @Test
    void workOfAlarmThatRingsByItselfIsDoneInTime() {
        TestClock clock = new TestClock();
        List<Runnable> timers = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch settling = new CountDownLatch(2);
        Scheduler following = clock.schedulerFor(scheduler(timers, () -> {
            settling.countDown();
            return new ThreadParker();
        }));
        clock.schedulerFor(scheduler(timers, () -> {
            if (begun.getCount() > 0) {
                new Thread(timers.get(0)).start();
                Latches.await(begun);
            }
            return new ThreadParker();
        }));
        CompletableFuture<Long> rung = new CompletableFuture<>();
        long start = clock.nanos();
        following.schedule(start, () -> {
            begun.countDown();
            Latches.await(settling);
            following.schedule(start, () -> rung.complete(clock.nanos()));
        });

        clock.advance(Duration.ofDays(1));

        assertThat(rung)
                .isCompletedWithValueMatching(
                        nanos -> nanos - start < Duration.ofHours(12).toNanos());
    }

    /** Meanwhile, other work goes on in real time. */
    @Test
    void workThatHangsIsAwaitedOncePerAlarm() {
        TestClock clock = new TestClock();
        List<Runnable> timers = new ArrayList<>();
        AtomicInteger waits = new AtomicInteger();
        Scheduler following = clock.schedulerFor(scheduler(
                timers,
                () -> new TimePassing(() -> {
                    if (waits.incrementAndGet() < 100) {
                        timers.get(timers.size() - 1).run();
                    }
                })));
        schedulesItself(following, clock.nanos() + Duration.ofDays(1).toNanos());
        following.renew(0, () -> {});

        clock.advance(Duration.ofHours(1));

        assertThat(waits).hasValueLessThan(10);
    }

    private static void schedulesItself(Scheduler scheduler, long nanos) {
        var unused = scheduler.schedule(nanos, () -> schedulesItself(scheduler, nanos));
    }

    /** A wait that lets the time pass at once. */
    private static final class TimePassing implements Parker {

        private final Runnable meanwhile;
        private long nanos;

        TimePassing(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public void wake() {}

        @Override
        public void await(long time) {
            meanwhile.run();
            nanos += time;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    /** Returns a scheduler whose timers do not ring, and whose renewals do not begin. */
    private static Scheduler scheduler(List<Runnable> timers, Supplier<Parker> parker) {
        return (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, args) -> {
                    if (method.getName().equals("parker")) {
                        return parker.get();
                    }
                    if (method.getName().equals("schedule")) {
                        timers.add((Runnable) args[1]);
                        return Scheduler.Scheduled.NONE;
                    }
                    return null;
                });
    }
}
