/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A method that waited for a thread while its lease was lost, or its future cancelled, does not run. */
class LateStartTests {

    private final Queue<Runnable> queued = new ConcurrentLinkedQueue<>();
    private final ApplicationContextRunner contexts =
            Locking.quick().withBean(Work.class).withBean("applicationTaskExecutor", Executor.class, () -> queued::add);

    @Test
    void futureFails() {
        failsWithoutRunning(Work::future, this::startQueued);
    }

    @Test
    void futureFailsWhateverItsPolicy() {
        failsWithoutRunning(Work::futureWithEvent, this::startQueued);
    }

    @Test
    void futureCancelledInTheQueueReleasesAtOnce() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.future();
            Awaitility.await().until(() -> !queued.isEmpty());

            result.cancel(true);

            Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
            startQueued();
            assertThat(work.hasRun()).isFalse();
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    /** As by {@code orTimeout}, which is no cancellation. */
    @Test
    void futureThatTimedOutInTheQueueDoesNotRun() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.future();
            Awaitility.await().until(() -> !queued.isEmpty());
            result.completeExceptionally(new TimeoutException());

            startQueued();

            LockManager locks = context.getBean(LockManager.class);
            Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
            assertThat(work.hasRun()).isFalse();
        });
    }

    @Test
    void futureCancelledInTheQueueRunsNoFallback() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            CompletableFuture<String> result = work.futureWithFallback();
            Awaitility.await().until(() -> !queued.isEmpty());

            result.cancel(true);
            startQueued();

            assertThat(work.hasRun()).isFalse();
            held.release();
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"THROW", "EVENT"})
    void coroutineFails(OnLost onLost) {
        contexts.withBean(KotlinWork.class).run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);
            CompletableFuture<?> result = KotlinCalls.nothing(work, queued::add, onLost);
            startQueued();
            Awaitility.await().until(() -> !queued.isEmpty()); // the coroutine that executes the function
            revoke(context);

            Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
                Optional.ofNullable(queued.poll()).ifPresent(Runnable::run);
                return result.isDone();
            });

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .withCauseInstanceOf(LeaseLostException.class);
            assertThat(work.entered()).isZero();
        });
    }

    @Test
    void publisherFails() {
        CountDownLatch mayStart = new CountDownLatch(1);
        Schedulers.onScheduleHook("late", task -> () -> {
            Locking.await(mayStart);
            task.run();
        });
        try {
            failsWithoutRunning(work -> work.mono().toFuture(), mayStart::countDown);
        } finally {
            Schedulers.resetOnScheduleHook("late");
        }
    }

    private static void revoke(ApplicationContext context) {
        LockManager locks = context.getBean(LockManager.class);
        locks.revoke("job", Objects.requireNonNull(locks.inspect("job").leaseId()));
        Awaitility.await().until(() -> context.getBean(Locking.class).lost().contains("job"));
    }

    private void startQueued() {
        Awaitility.await().until(() -> !queued.isEmpty());
        Objects.requireNonNull(queued.poll()).run();
    }

    private void failsWithoutRunning(Function<Work, CompletableFuture<String>> call, Runnable start) {
        contexts.run(context -> {
            Locking locking = context.getBean(Locking.class);
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = call.apply(work);
            Awaitility.await().until(() -> locking.events().contains("+job"));
            revoke(context);

            start.run();

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .withCauseInstanceOf(LeaseLostException.class);
            assertThat(work.hasRun()).isFalse();
        });
    }

    static class Work {

        private volatile boolean ran;

        boolean hasRun() {
            return ran;
        }

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            ran = true;
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock(name = "job", onLost = OnLost.EVENT)
        public CompletableFuture<String> futureWithEvent() {
            return future();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "future")
        public CompletableFuture<String> futureWithFallback() {
            return future();
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            ran = true;
            return Mono.just("done");
        }
    }
}
