/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.memory.InMemoryLockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Many threads wait for few locks: virtual ones without pinning carriers, others without a manager thread each. */
class VirtualThreadTests {

    private static final int NAMES = 100;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicIntegerArray inside = new AtomicIntegerArray(NAMES);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path folder;

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads before Java 21")
    void tenThousandWaitingVirtualThreadsPinNoCarrier() throws Exception {
        List<RecordedEvent> pinned;
        try (Recording recording = new Recording();
                LockManager locks = LockManager.builder(new InMemoryLockStore()).build()) {
            waitAndHold(locks, 1_000); // loads and initializes classes first, because that pins as well
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            recording.start();
            waitAndHold(locks, 10_000);
            recording.stop();
            pinned = eventsOf(recording);
        }

        assertThat(failures).isEmpty();
        assertThat(served).hasValue(11_000);
        assertThat(pinned)
                .filteredOn(event -> String.valueOf(event.getStackTrace()).contains("io.dynamolock"))
                .isEmpty();
    }

    private void waitAndHold(LockManager locks, int count) throws Exception {
        ExecutorService threads = virtualThreads();
        for (int i = 0; i < count; i++) {
            int name = i % NAMES;
            threads.execute(() -> holdOnce(locks, name));
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void waitingThreadsNeedNoManagerThreadEach() throws Exception {
        Set<Thread> waiting = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newFixedThreadPool(1_000, work -> {
            Thread thread = new Thread(work);
            waiting.add(thread);
            return thread;
        });
        int before = libraryThreads();
        int library;
        try (LockManager locks = LockManager.builder(new InMemoryLockStore()).build()) {
            List<Lease> held = takeAll(locks);
            for (int i = 0; i < 1_000; i++) {
                int name = i % NAMES;
                threads.execute(() -> holdOnce(locks, name));
            }
            await().until(() -> begun.get() == 1_000 && waiting.stream().allMatch(VirtualThreadTests::isParked));
            library = libraryThreads() - before;
            assertThat(served).hasValue(0);

            held.forEach(Lease::release);
            threads.shutdown();
            assertThat(threads.awaitTermination(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        assertThat(failures).isEmpty();
        assertThat(served).hasValue(1_000);
        assertThat(library).as("threads of the library while 1,000 waited").isLessThan(120);
    }

    private static List<Lease> takeAll(LockManager locks) {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            held.add(locks.tryAcquire("job-" + i).orElseThrow());
        }
        return held;
    }

    private void holdOnce(LockManager locks, int name) {
        begun.incrementAndGet();
        try (Lease lease = locks.acquire(LockRequest.of("job-" + name).waitTime(TIMEOUT))) {
            assertThat(inside.incrementAndGet(name)).isOne();
            LockSupport.parkNanos(1_000);
            assertThat(lease.isHeld()).isTrue();
            inside.decrementAndGet(name);
            served.incrementAndGet();
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    private static boolean isParked(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static int libraryThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("dynamolock-"))
                .count();
    }

    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private List<RecordedEvent> eventsOf(Recording recording) throws IOException {
        Path file = folder.resolve("pinned.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }
}
