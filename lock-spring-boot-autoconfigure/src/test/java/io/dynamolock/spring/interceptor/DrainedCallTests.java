/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

/** Calls of methods whose manager drains, or is closed, while the application runs. */
class DrainedCallTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Jobs.class).withBean(Events.class);

    @Test
    void callsAreSkippedWhileManagerDrains() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getBean(LockManager.class).startDraining();

            assertThat(jobs.skipped()).isEmpty();
            assertThat(jobs.skippedFuture().get(60, TimeUnit.SECONDS)).isNull();
            assertThat(jobs.skippedMono().blockOptional()).isEmpty();

            assertThat(events(context))
                    .containsExactly(
                            "Skipped skipped DRAINING",
                            "Skipped skippedFuture DRAINING",
                            "Skipped skippedMono DRAINING");
            context.getBean(LockManager.class).stopDraining();
            assertThat(jobs.skipped()).contains("ran");
        });
    }

    @Test
    void fallbackIsCalledWhileManagerDrains() {
        contexts.run(context -> {
            context.getBean(LockManager.class).startDraining();

            assertThat(context.getBean(Jobs.class).replaced()).isEqualTo("instead");

            assertThat(events(context)).containsExactly("Skipped replaced DRAINING");
        });
    }

    @Test
    void fallbackOfWaitingFutureHasContextOfItsCaller() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader ofCaller = new URLClassLoader(new URL[0], before);
        contexts.withBean("applicationTaskExecutor", Executor.class, SimpleAsyncTaskExecutor::new)
                .run(context -> {
                    Lease busy =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
                    CompletableFuture<ClassLoader> call;
                    Thread.currentThread().setContextClassLoader(ofCaller);
                    try {
                        call = context.getBean(Jobs.class).replacedFuture();
                    } finally {
                        Thread.currentThread().setContextClassLoader(before);
                    }

                    context.getBean(LockManager.class).startDraining();

                    assertThat(call).succeedsWithin(Locking.TIMEOUT).isSameAs(ofCaller);
                    busy.release();
                });
    }

    @Test
    void fallbackThatTakesTheHolderIsOnlyForBusyLocks() {
        contexts.run(context -> {
            context.getBean(LockManager.class).startDraining();

            assertThatExceptionOfType(LockManagerDrainingException.class)
                    .isThrownBy(() -> context.getBean(Jobs.class).replacedByHolder());

            assertThat(events(context)).containsExactly("Rejected replacedByHolder DRAINING");
        });
    }

    @Test
    void otherCallsAreRejectedWhileManagerDrains() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getBean(LockManager.class).startDraining();

            assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(jobs::rejected);
            assertThatThrownBy(() -> jobs.rejectedFuture().get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockManagerDrainingException.class);

            assertThat(events(context))
                    .containsExactly("Rejected rejected DRAINING", "Rejected rejectedFuture DRAINING");
        });
    }

    @Test
    void callsOfClosedManagerAreRejectedEvenIfTheySkip() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getBean(LockManager.class).close();

            assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(jobs::skipped);
            assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(jobs::replaced);
            assertThatThrownBy(() -> jobs.skippedFuture().get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockManagerClosedException.class);
            assertThatExceptionOfType(LockManagerClosedException.class)
                    .isThrownBy(() -> jobs.skippedMono().block());

            assertThat(events(context))
                    .containsExactly(
                            "Rejected skipped CLOSED",
                            "Rejected replaced CLOSED",
                            "Rejected skippedFuture CLOSED",
                            "Rejected skippedMono CLOSED");
        });
    }

    @Test
    @ExtendWith(LogCapture.class)
    void scheduledMethodsAreSkippedQuietly(CapturedOutput output) {
        LogCapture.setLevel(Level.DEBUG);
        contexts.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withBean(ScheduledJob.class)
                .run(context -> {
                    ScheduledJob job = context.getBean(ScheduledJob.class);
                    context.getBean(LockManager.class).startDraining();
                    Awaitility.await().until(() -> events(context).size() > 2);
                    int runs = job.runs();
                    context.getBean(LockManager.class).stopDraining();
                    Awaitility.await().until(() -> job.runs() > runs);

                    assertThat(events(context)).containsOnly("Skipped run DRAINING");
                    assertThat(output.getOut().lines().filter(line -> line.contains("ScheduledJob.run")))
                            .isNotEmpty()
                            .allSatisfy(
                                    line -> assertThat(line).startsWith("DEBUG").contains("draining"));
                    assertThat(output.getOut()).doesNotContain("ERROR", "LockManagerDrainingException");
                });
    }

    /** Returns the calls that did not run. */
    private static List<String> events(AssertableApplicationContext context) {
        return List.copyOf(context.getBean(Events.class).all);
    }

    static class Jobs {

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Optional<String> skipped() {
            return Optional.of("ran");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public CompletableFuture<@Nullable String> skippedFuture() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Mono<String> skippedMono() {
            return Mono.just("ran");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public String replaced() {
            return "ran";
        }

        String instead() {
            return "instead";
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "insteadOf")
        public String replacedByHolder() {
            return "ran";
        }

        @DistributedLock(name = "job", waitTime = "10m", onBusy = OnBusy.FALLBACK, fallback = "contextInstead")
        public CompletableFuture<ClassLoader> replacedFuture() {
            throw new AssertionError("must not run");
        }

        CompletableFuture<ClassLoader> contextInstead() {
            return CompletableFuture.completedFuture(Thread.currentThread().getContextClassLoader());
        }

        String insteadOf(LockBusyException busy) {
            return "instead of " + busy.holder();
        }

        @DistributedLock("job")
        public void rejected() {}

        @DistributedLock("job")
        public CompletableFuture<@Nullable String> rejectedFuture() {
            return CompletableFuture.completedFuture("ran");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class ScheduledJob {

        private final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @Scheduled(fixedDelay = 20)
        @DistributedLock("scheduled")
        public void run() {
            runs.incrementAndGet();
        }
    }

    static class Events {

        private final List<String> all = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockEvent.Skipped event) {
            all.add("Skipped " + method(event.method()) + " " + event.reason());
        }

        @EventListener
        void on(LockEvent.Rejected event) {
            all.add("Rejected " + method(event.method()) + " " + event.reason());
        }

        private static String method(String qualified) {
            return qualified.substring(qualified.lastIndexOf('.') + 1);
        }
    }
}
