/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.memory.InMemoryLockStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The cost of a wait time without contention. Load of the machine varies, so each ratio is of neighboring slices of time,
 * and the median counts.
 */
@Timeout(180)
class CallerLoadTests {

    private static final Duration NONE = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ROUNDS = 20;
    private static final int PAIRS = 200;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @Tag("soak")
    void waitTimeDoesNotSlowManyThreads() throws Exception {
        int count = 500;
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try (LockManager locks = LockManager.builder(new SlowStore()).build()) {
            Slices slices = new Slices(locks, threads, count, Duration.ofSeconds(1));

            double ratio = slices.medianRatio(10);

            System.out.printf(
                    "%d threads at 20 ms a request: %,.0f pairs a second, with a wait time %.3f of that%n",
                    count, slices.lastPerSecond, ratio);
            assertThat(ratio).isGreaterThan(0.9);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @Tag("soak")
    void waitTimeDoesNotSlowOneThread() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try (LockManager locks = LockManager.builder(new InMemoryLockStore()).build()) {
            Slices slices = new Slices(locks, threads, 1, Duration.ofMillis(200));

            double ratio = 1 / slices.medianRatio(50);

            System.out.printf(
                    "One thread: %.1f µs a pair, with a wait time %.3f of that%n", 1e6 / slices.lastPerSecond, ratio);
            assertThat(ratio).isLessThan(1.1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Unlike times, neither depends on the load of the machine. */
    @Test
    void waitTimeCostsNoRequestAndNoMemory() throws Exception {
        AtomicLong requests = new AtomicLong();
        LockListener listener = new LockListener() {
            @Override
            public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                requests.addAndGet(operation == Operation.RENEW ? 0 : 1); // a pause may last until the heartbeat
            }
        };
        try (LockManager locks =
                LockManager.builder(new InMemoryLockStore()).listener(listener).build()) {
            long without = Long.MAX_VALUE;
            long with = Long.MAX_VALUE;
            locks.tryAcquire("job").orElseThrow().release();
            requests.set(0);

            for (int round = 0; round < ROUNDS; round++) {
                without = Math.min(without, allocatedBytes(locks, LockRequest.of("job")));
                with = Math.min(
                        with, allocatedBytes(locks, LockRequest.of("job").waitTime(LONG)));
            }

            assertThat(requests).hasValue(2L * 2 * ROUNDS * PAIRS);
            assertThat(with / (double) without).isLessThan(1.05);
        }
    }

    private static long allocatedBytes(LockManager locks, LockRequest request) throws InterruptedException {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int i = 0; i < PAIRS; i++) {
            locks.acquire(request).release();
        }
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    /** Acquires and releases one lock per thread, alternating between no wait time and a long one. */
    private static final class Slices {

        private static final int WARM_UP = 2;

        private final LockManager locks;
        private final ExecutorService threads;
        private final int count;
        private final Duration slice;
        double lastPerSecond;

        Slices(LockManager locks, ExecutorService threads, int count, Duration slice) {
            this.locks = locks;
            this.threads = threads;
            this.count = count;
            this.slice = slice;
        }

        /** Returns the median ratio of pairs per second with a wait time to those without. */
        double medianRatio(int rounds) throws Exception {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < WARM_UP + rounds; round++) {
                boolean waitsFirst = round % 2 == 0;
                double first = perSecond(waitsFirst ? LONG : NONE);
                double second = perSecond(waitsFirst ? NONE : LONG);
                lastPerSecond = waitsFirst ? second : first;
                if (round >= WARM_UP) {
                    ratios.add(waitsFirst ? first / second : second / first);
                }
            }
            return ratios.stream().sorted().toList().get(rounds / 2);
        }

        private double perSecond(Duration wait) throws Exception {
            long started = System.nanoTime();
            long end = started + slice.toNanos();
            List<Callable<Long>> work = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                LockRequest request = LockRequest.of("job-" + i).waitTime(wait);
                work.add(() -> repeat(request, end));
            }
            long pairs = 0;
            for (Future<Long> one : threads.invokeAll(work)) {
                pairs += one.get();
            }
            return pairs * 1e9 / (System.nanoTime() - started);
        }

        private long repeat(LockRequest request, long end) throws InterruptedException {
            long pairs = 0;
            do {
                locks.acquire(request).release();
                pairs++;
            } while (System.nanoTime() - end < 0);
            return pairs;
        }
    }

    /** A store that takes 20 ms per request. */
    private static final class SlowStore extends ForwardingStore {

        private static Response later(Supplier<Response> request) {
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
            return request.get();
        }

        @Override
        public Response acquire(Acquire write, Duration timeout) {
            return later(() -> super.acquire(write, timeout));
        }

        @Override
        public Response release(Release write, Duration timeout) {
            return later(() -> super.release(write, timeout));
        }

        @Override
        public Response read(String name, boolean consistent, Duration timeout) {
            return later(() -> super.read(name, consistent, timeout));
        }
    }
}
