/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.dynamodb.CapturedLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Undo of thousands of acquires left unanswered by an outage. */
@ExtendWith(WithoutWarnings.class)
@Timeout(120)
class UndoLoadTests {

    private static final int THREADS = 20;
    private static final long SECOND = 1_000_000_000;

    /** One undo per 10 ms, each of up to two writes. */
    private static final int DOCUMENTED_PER_SECOND = 200;

    private final AwayStore store = new AwayStore();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicInteger failed = new AtomicInteger();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    @Tag("proof")
    void sendsNothingForEndedLeases() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        Duration over = lease.plus(LockSettings.DEFAULTS.maxClockSkew());
        try (LockManager locks = managerWithShortTimeouts(lease)) {
            locks.tryAcquire("first").orElseThrow().release();
            long back = System.nanoTime() + Duration.ofSeconds(6).toNanos();
            store.goAway();
            failOften(locks, 10_000, Duration.ofSeconds(5));
            TimeUnit.NANOSECONDS.sleep(back - System.nanoTime());
            store.onStoreRecovered();
            int before = store.undos.size();
            Thread.sleep(over.toMillis());

            Duration oldest = oldest(store.undos);
            assertThat(failed).hasValue(10_000);
            assertThat(store.undos.size()).isGreaterThan(before);
            assertThat(oldest).isLessThan(over.plusSeconds(1));
        }
    }

    @Test
    @Tag("proof")
    void undosAreSentAtSteadyPaceAfterOutage() throws Exception {
        try (LockManager locks = managerWithShortTimeouts(Duration.ofSeconds(30))) {
            locks.tryAcquire("first").orElseThrow().release();
            store.goAway();
            failOften(locks, 2_000, Duration.ofSeconds(1));
            store.onStoreRecovered();
            long back = System.nanoTime();
            Thread.sleep(5_000);

            List<Long> sent = store.undos.stream()
                    .map(Undone::sentNanos)
                    .filter(nanos -> nanos - back >= 0)
                    .sorted()
                    .toList();
            int most = mostInASecond(sent);
            assertThat(failed).hasValue(2_000);
            assertThat(most).isLessThan(2 * DOCUMENTED_PER_SECOND);
        }
        assertThat(store.open()).as("what is open when the manager is closed").isZero();
    }

    @Test
    void openUndosAtManagerCloseAreLoggedInFewLines() throws Exception {
        try (CapturedLogs logs = new CapturedLogs(Level.WARN)) {
            LockManager locks = managerWithShortTimeouts(Duration.ofSeconds(30));
            locks.tryAcquire("first").orElseThrow().release();
            store.goAway();
            failOften(locks, 1_000, Duration.ofMillis(100));

            locks.close();

            assertThat(logs.warnings()).hasSize(11);
            // Those that are being sent at that moment are not counted
            assertThat(logs.warnings().get(10)).matches("9[0-9]{2} more unanswered acquires .*");
        }
    }

    private LockManager managerWithShortTimeouts(Duration lease) {
        return LockManager.builder(store)
                .leaseDuration(lease)
                .retryPolicy(RetryPolicy.exponential(1, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0))
                .build();
    }

    private void failOften(LockManager locks, int times, Duration time) throws Exception {
        long gapNanos = time.toNanos() * THREADS / times;
        long started = System.nanoTime();
        List<Callable<Void>> work = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            String name = "job-" + thread + "-";
            work.add(() -> {
                for (int i = 0; i < times / THREADS; i++) {
                    fail(locks, name + i);
                    TimeUnit.NANOSECONDS.sleep(started + (i + 1) * gapNanos - System.nanoTime());
                }
                return null;
            });
        }
        for (Future<Void> one : threads.invokeAll(work)) {
            one.get();
        }
    }

    private void fail(LockManager locks, String name) {
        try {
            throw new AssertionError(locks.tryAcquire(name));
        } catch (LockStoreException expected) {
            failed.incrementAndGet();
        }
    }

    private static Duration oldest(Collection<Undone> undos) {
        return Duration.ofNanos(undos.stream()
                .mapToLong(one -> one.sentNanos - one.acquiredNanos)
                .max()
                .orElse(0));
    }

    private static int mostInASecond(List<Long> sent) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < sent.size(); last++) {
            while (sent.get(last) - sent.get(first) >= SECOND) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** One write that undoes an acquire. */
    private record Undone(long acquiredNanos, long sentNanos) {}

    /** Loses every request during an outage. */
    private static final class AwayStore extends ForwardingStore {

        final Map<String, Long> acquired = new ConcurrentHashMap<>();
        final Collection<Undone> undos = new ConcurrentLinkedQueue<>();
        private volatile boolean away;

        void goAway() {
            away = true;
        }

        void onStoreRecovered() {
            away = false;
        }

        private Response send(String name, Supplier<Response> request) {
            if (away) {
                throw new LockStoreException(name, "no response", null, true, true);
            }
            return request.get();
        }

        @Override
        public Response acquire(Acquire write, Duration timeout) {
            if (away) {
                acquired.putIfAbsent(write.leaseId(), System.nanoTime());
            }
            return send(write.name(), () -> super.acquire(write, timeout));
        }

        @Override
        public Response release(Release write, Duration timeout) {
            undoing(write.leaseId());
            return send(write.name(), () -> super.release(write, timeout));
        }

        @Override
        public Response raiseFloor(RaiseFloor write, Duration timeout) {
            undoing(write.leaseId());
            Response response = send(write.name(), () -> super.raiseFloor(write, timeout));
            acquired.remove(write.leaseId());
            return response;
        }

        private void undoing(String leaseId) {
            Long acquiredNanos = acquired.get(leaseId);
            if (acquiredNanos != null) {
                undos.add(new Undone(acquiredNanos, System.nanoTime()));
            }
        }

        /** Returns the number of acquires that are not undone. */
        int open() {
            return acquired.size();
        }
    }
}
