/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Locked methods in an application that uses virtual threads. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads before Java 21")
class VirtualThreadsTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockAutoConfiguration.class,
                    DistributedLockAutoConfiguration.class,
                    TaskExecutionAutoConfiguration.class,
                    TaskSchedulingAutoConfiguration.class))
            .withBean(Journal.class)
            .withUserConfiguration(Work.class)
            .withPropertyValues(
                    "spring.threads.virtual.enabled=true",
                    "dynamolock.store=memory",
                    "dynamolock.heartbeat.interval=100ms",
                    "dynamolock.wait.poll-min=1ms");

    @TempDir
    private Path folder;

    @Test
    void methodsAreLockedOnVirtualThreadsWithoutPinning() throws IOException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        List<Journal> journals = new ArrayList<>();
        List<RecordedEvent> pinned;
        try (Recording recording = new Recording()) {
            recording
                    .enable("jdk.VirtualThreadPinned")
                    .withThreshold(Duration.ZERO)
                    .withStackTrace();
            contexts.run(context -> {
                journals.add(context.getBean(Journal.class));
                work(context, 20); // loads and initializes classes, which also pins threads
                recording.start();
                work(context, 300);
                recording.stop();
            });
            pinned = eventsOf(recording);
        }

        Journal journal = journals.get(0);
        assertThat(journal.threads).hasSizeGreaterThan(300).allMatch(VirtualThreadsTests::isVirtual);
        assertThat(journal.overlapped).isFalse();
        assertThat(pinned)
                .filteredOn(event -> String.valueOf(event.getStackTrace()).contains("io.dynamolock"))
                .isEmpty();
        assertThat(journal.threads).noneMatch(Thread::isAlive);
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("dynamolock-")));
    }

    private static void work(ApplicationContext context, int times) {
        Work work = context.getBean(Work.class);
        Journal journal = context.getBean(Journal.class);
        int scheduled = journal.turns.get();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            calls.add(work.wanted());
        }
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
        await().untilAsserted(() -> assertThat(journal.turns).hasValueGreaterThan(scheduled));
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException gone) {
            throw new IllegalStateException(gone);
        }
    }

    private List<RecordedEvent> eventsOf(Recording recording) throws IOException {
        Path file = folder.resolve("pinned.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    @EnableAsync
    @EnableScheduling
    static class Work {

        private final Journal journal;

        Work(Journal journal) {
            this.journal = journal;
        }

        @Async
        @DistributedLock(name = "work", waitTime = "5m")
        public CompletableFuture<Void> wanted() {
            journal.enter();
            return CompletableFuture.completedFuture(null);
        }

        @Scheduled(fixedDelay = 1)
        @DistributedLock(name = "work", waitTime = "5m")
        public void scheduled() throws InterruptedException {
            journal.enter();
            journal.turns.incrementAndGet();
        }
    }

    /** Records which threads worked, and whether two worked concurrently. */
    static class Journal {

        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final AtomicInteger turns = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicBoolean overlapped = new AtomicBoolean();

        void enter() {
            threads.add(Thread.currentThread());
            if (inside.incrementAndGet() > 1) {
                overlapped.set(true);
            }
            LockSupport.parkNanos(1_000);
            inside.decrementAndGet();
        }
    }
}
