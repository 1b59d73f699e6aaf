/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LastHold;
import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.Undeclared;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** The lock of an {@code @Async} method covers the work on the other thread, not its submission. */
class AsyncMethodTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
            .withUserConfiguration(Enabled.class)
            .withBean(Work.class);

    @Test
    void isHeldWhileTheBodyRunsOnTheOtherThread() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);

            work.nothing();
            work.awaitEntered();
            LockState.Status meanwhile = locks.inspect("job").status();
            work.mayEnd();

            assertThat(meanwhile).isEqualTo(LockState.Status.HELD);
            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
            assertThat(work.thread()).startsWith("task-");
        });
    }

    @Test
    void lockOutsideOfTheSubmissionStopsTheStart() {
        Locking.inMemory()
                .withUserConfiguration(EnabledFirst.class)
                .withBean(Work.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidDistributedLockException.class)
                        .hasMessageContaining("Work.")
                        .hasMessageContaining("outside of @Async")
                        .hasMessageContaining("HIGHEST_PRECEDENCE"));
    }

    /** The bean exists with {@code @EnableAsync(mode = AdviceMode.ASPECTJ)}. */
    @Test
    void wovenSubmissionStopsTheStart() {
        Locking.inMemory()
                .withBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME, Object.class)
                .withBean(Woven.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidDistributedLockException.class)
                        .hasMessageContaining("outside of @Async")
                        .hasMessageContaining("Remove mode = AdviceMode.ASPECTJ"));
    }

    /** The aspect does not apply to methods with a result. */
    @Test
    void methodThatIsNotSubmittedByTheAspectIsAccepted() {
        Locking.inMemory()
                .withBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME, Object.class)
                .withBean(WovenType.class)
                .run(context ->
                        assertThat(context.getBean(WovenType.class).work()).isEqualTo("done"));
    }

    @Async
    static class WovenType {

        @DistributedLock("job")
        public String work() {
            return "done";
        }
    }

    static class Woven {

        @Async
        @DistributedLock("job")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
    static class EnabledFirst {}

    @Test
    void isHeldUntilTheFutureIsDone() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);

            CompletableFuture<String> result = work.stage();
            work.awaitEntered();
            LockState.Status meanwhile = locks.inspect("job").status();
            work.mayEnd();

            assertThat(meanwhile).isEqualTo(LockState.Status.HELD);
            assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(work.future().get(60, TimeUnit.SECONDS)).isEqualTo("HELD");
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job", "+job", "-job");
        });
    }

    @Test
    void isHeldUntilFutureWithoutCallbacksIsDone() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.untold().get(60, TimeUnit.SECONDS)).isEqualTo("done");

            assertThat(work.statesWhenAsked()).startsWith(LockState.Status.HELD);
        });
    }

    @Test
    void interruptionCancelsTheFuture() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> own = new CompletableFuture<>();
            CompletionStage<LockState.Status> atCancellation =
                    own.handle((value, cancelled) -> locks.inspect("job").status());
            Future<String> call = work.own(own);
            work.awaitEntered();

            call.cancel(true);

            assertThat(atCancellation).succeedsWithin(Locking.TIMEOUT).isEqualTo(LockState.Status.HELD);
            assertThat(own).isCancelled();
            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
        });
    }

    @Test
    void interruptedThreadHoldsTheLockUntilUncancellableFutureIsDone() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            Uncancellable own = new Uncancellable(null);
            Future<String> unused = work.own(own);
            work.awaitEntered();

            work.interrupt();
            Awaitility.await().until(() -> own.cancellations() == 1);
            work.interrupt();
            Awaitility.await().until(() -> own.cancellations() == 2);
            LockState.Status interrupted = locks.inspect("job").status();
            own.complete("done");

            assertThat(interrupted).isEqualTo(LockState.Status.HELD);
            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
        });
    }

    @Test
    void interruptedCancellationIsNotRepeated() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            Uncancellable own = new Uncancellable(new InterruptedException("on purpose"));
            Future<String> unused = work.own(own);
            work.awaitEntered();

            work.interrupt();
            Awaitility.await().until(() -> own.cancellations() == 1 && work.waits());

            assertThat(own.cancellations()).isEqualTo(1);
            own.complete("done");
            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
        });
    }

    private static final class Uncancellable extends CompletableFuture<String> {

        private final AtomicInteger cancellations = new AtomicInteger();
        private final @Nullable Throwable failure;

        Uncancellable(@Nullable Throwable failure) {
            this.failure = failure;
        }

        int cancellations() {
            return cancellations.get();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            cancellations.incrementAndGet();
            if (failure != null) {
                throw Undeclared.rethrow(failure);
            }
            return false;
        }
    }

    @Test
    void isSkippedOrFailsThere() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.skipped().get(60, TimeUnit.SECONDS)).isNull();
                assertThatThrownBy(() -> work.stage().get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(LockBusyException.class);
            }
            assertThat(work.thread()).isEmpty();
        });
    }

    @Test
    void failedFutureIsRememberedAsFailedHold() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThatThrownBy(() -> work.failed("stage").get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("on purpose");
            assertThatThrownBy(() -> work.failedTask().get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("on purpose");

            LockManager locks = context.getBean(LockManager.class);
            assertThat(locks.inspect("stage").lastHold()).matches(LastHold::failed);
            assertThat(locks.inspect("task").lastHold()).matches(LastHold::failed);
        });
    }

    @Test
    void annotationOfTheApplicationMakesMethodsAsynchronous() {
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withUserConfiguration(OwnEnabled.class)
                .withBean(InBackground.class)
                .run(context -> assertThat(
                                context.getBean(InBackground.class).run().get(60, TimeUnit.SECONDS))
                        .isEqualTo("task-1 true"));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Background {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(annotation = Background.class)
    static class OwnEnabled {}

    static class InBackground {

        @Background
        @DistributedLock("job")
        public Future<String> run() {
            return CompletableFuture.completedFuture(
                    Thread.currentThread().getName() + " " + Locks.current().isPresent());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Enabled {}

    static class Work {

        private final LockManager locks;
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final List<LockState.Status> statesWhenAsked = new CopyOnWriteArrayList<>();
        private volatile String thread = "";
        private volatile Thread worker = Thread.currentThread();

        Work(LockManager locks) {
            this.locks = locks;
        }

        public String thread() {
            return thread;
        }

        public void mayEnd() {
            mayEnd.countDown();
        }

        public void awaitEntered() throws InterruptedException {
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
        }

        private void enter() throws InterruptedException {
            thread = Thread.currentThread().getName();
            entered.countDown();
            assertThat(mayEnd.await(60, TimeUnit.SECONDS)).isTrue();
        }

        @Async
        @DistributedLock("job")
        public void nothing() throws InterruptedException {
            enter();
        }

        @Async
        @DistributedLock("job")
        public CompletableFuture<String> stage() {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    enter();
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
                return "done";
            });
        }

        @Async
        @DistributedLock("job")
        public Future<String> own(CompletableFuture<String> future) {
            worker = Thread.currentThread();
            entered.countDown();
            return future;
        }

        public void interrupt() {
            worker.interrupt();
        }

        public boolean waits() {
            return Locking.isWaiting(worker);
        }

        @Async
        @DistributedLock("job")
        public Future<String> future() {
            return CompletableFuture.completedFuture(
                    locks.inspect("job").status().name());
        }

        List<LockState.Status> statesWhenAsked() {
            return statesWhenAsked;
        }

        /** Future that completes when its result is requested. */
        @Async
        @DistributedLock("job")
        public Future<String> untold() {
            return new FutureTask<>(() -> "done") {
                @Override
                public String get() throws InterruptedException, ExecutionException {
                    statesWhenAsked.add(locks.inspect("job").status());
                    run();
                    return super.get();
                }
            };
        }

        @Async
        @DistributedLock("#{#name}")
        public CompletableFuture<String> failed(String name) {
            return CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
        }

        @Async
        @DistributedLock("task")
        public Future<String> failedTask() {
            FutureTask<String> task = new FutureTask<>(() -> {
                throw new IllegalStateException("on purpose");
            });
            task.run();
            return task;
        }

        @Async
        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public CompletableFuture<String> skipped() throws InterruptedException {
            enter();
            return CompletableFuture.completedFuture("");
        }
    }
}
