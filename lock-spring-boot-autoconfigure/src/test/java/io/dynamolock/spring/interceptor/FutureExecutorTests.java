/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Undeclared;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Methods that return a future run on the application's task executor, or on the caller's thread if there is none. */
class FutureExecutorTests {

    private final ApplicationContextRunner alone = Locking.quick().withBean(Work.class);
    private final ApplicationContextRunner contexts =
            alone.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class));

    @Test
    void bodyUsesApplicationTaskExecutor() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.run();
            work.mayEnd().complete("");

            result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(work.thread()).startsWith("task-");
        });
    }

    @Test
    void threadsOfTheExecutorMayWaitForTheResult() {
        contexts.withPropertyValues("spring.task.execution.pool.core-size=1")
                .withBean(Waiting.class)
                .run(FutureExecutorTests::assertWaitsForTheResult);
    }

    /** Spring Boot makes such an executor for virtual threads, if {@code spring.task.execution.simple} limits them. */
    @Test
    void threadsOfLimitedExecutorMayWaitForTheResult() {
        SimpleAsyncTaskExecutor tasks = new SimpleAsyncTaskExecutor("task-");
        tasks.setConcurrencyLimit(1);
        alone.withBean("applicationTaskExecutor", SimpleAsyncTaskExecutor.class, () -> tasks)
                .withBean(Waiting.class)
                .run(FutureExecutorTests::assertWaitsForTheResult);
    }

    private static void assertWaitsForTheResult(BeanFactory beans) throws Exception {
        beans.getBean(Work.class).mayEnd().complete("done");

        assertThat(beans.getBean(Waiting.class).run().get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("done");
        assertThat(beans.getBean(Locking.class).acquired()).containsExactly("waiting", "job");
    }

    @Test
    void completionNeedsNoThreadOfTheExecutor() {
        contexts.withPropertyValues("spring.task.execution.pool.core-size=1").run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.run();
            Awaitility.await().until(() -> !work.thread().isEmpty());
            CompletableFuture<String> busy = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                    .submitCompletable(() -> result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS));

            work.mayEnd().complete("done");

            assertThat(busy.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void taskDecoratorCarriesContextOfCaller() {
        contexts.withBean(TaskDecorator.class, () -> FutureExecutorTests::copyingUser)
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    Lease held =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
                    CompletableFuture<String> result;
                    try (MDC.MDCCloseable set = MDC.putCloseable("user", "somebody")) {
                        assertThat(set).isNotNull();
                        result = work.run();
                    }

                    held.release();
                    work.mayEnd().complete("");

                    result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                    assertThat(work.user()).isEqualTo("somebody");
                });
    }

    @Test
    void rejectedTaskReleasesLock() {
        Executor full = task -> {
            throw new TaskRejectedException("full");
        };
        alone.withBean("applicationTaskExecutor", Executor.class, () -> full).run(context -> {
            CompletableFuture<String> result = context.getBean(Work.class).run();

            assertThatThrownBy(() -> result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TaskRejectedException.class);
            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
            assertThat(context.getBean(Work.class).thread()).isEmpty();
        });
    }

    @Test
    void cancellationOfTheWaitNeedsNoThread() {
        AtomicInteger tasks = new AtomicInteger();
        Executor full = task -> tasks.incrementAndGet();
        alone.withBean("applicationTaskExecutor", Executor.class, () -> full).run(context -> {
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            CompletableFuture<String> waiting = context.getBean(Work.class).run();

            waiting.cancel(true);

            assertThat(tasks).hasValue(0);
            held.release();
        });
    }

    @Test
    void rejectedTaskTellsThatLockWasBusy() {
        Executor full = task -> {
            throw new TaskRejectedException("full");
        };
        alone.withBean("applicationTaskExecutor", Executor.class, () -> full).run(context -> {
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            assertThatThrownBy(() ->
                            context.getBean(Work.class).runAtOnce().get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(TaskRejectedException.class)
                    .satisfies(rejection -> assertThat(rejection.getSuppressed())
                            .singleElement()
                            .isInstanceOf(LockBusyException.class));
            held.release();
        });
    }

    @Test
    void rejectionThatDecoratorSwallowsReleasesLock() {
        TaskDecorator logging = task -> () -> {
            try {
                task.run();
            } catch (RuntimeException logged) {
                MDC.put("failure", logged.getMessage());
            }
        };
        Executor full = task -> {
            throw new TaskRejectedException("full");
        };
        alone.withBean(TaskDecorator.class, () -> logging)
                .withBean("applicationTaskExecutor", Executor.class, () -> full)
                .run(context -> assertRejected(context, "full"));
    }

    @Test
    void taskThatDecoratorDropsReleasesLock() {
        contexts.withBean(TaskDecorator.class, () -> task -> () -> {})
                .run(context -> assertRejected(context, "TaskDecorator"));
    }

    @Test
    void checkedExceptionOfExecutorReleasesLock() {
        Executor interrupted = task -> {
            throw Undeclared.rethrow(new InterruptedException("while the queue is full"));
        };
        alone.withBean("applicationTaskExecutor", Executor.class, () -> interrupted)
                .run(context -> assertFails(context, InterruptedException.class));
    }

    @Test
    void checkedExceptionOfDecoratedTaskReleasesLock() {
        TaskDecorator failing = task -> () -> {
            throw Undeclared.rethrow(new IOException("on purpose"));
        };
        contexts.withBean(TaskDecorator.class, () -> failing).run(context -> assertFails(context, IOException.class));
    }

    private static void assertFails(ApplicationContext context, Class<? extends Throwable> cause) {
        CompletableFuture<String> result = context.getBean(Work.class).run();
        boolean unused = Thread.interrupted(); // set if this thread has handed the task over

        assertThatThrownBy(() -> result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(cause);
        assertThat(context.getBean(LockManager.class).inspect("job").status()).isEqualTo(LockState.Status.FREE);
    }

    private static void assertRejected(ApplicationContext context, String message) {
        CompletableFuture<String> result = context.getBean(Work.class).run();

        assertThatThrownBy(() -> result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(TaskRejectedException.class)
                .hasMessageContaining(message);
        assertThat(context.getBean(LockManager.class).inspect("job").status()).isEqualTo(LockState.Status.FREE);
    }

    @Test
    void threadOfPoolWithLongerPrefixIsNoneOfTheExecutor() {
        contexts.run(context -> {
            AtomicReference<@Nullable CompletableFuture<String>> result = new AtomicReference<>();
            Thread foreign =
                    new Thread(() -> result.set(context.getBean(Work.class).run()), "task-other-1");
            foreign.start();
            foreign.join(Locking.TIMEOUT.toMillis());

            Awaitility.await().until(() -> !context.getBean(Work.class).thread().isEmpty());
            assertThat(context.getBean(Work.class).thread()).matches("task-\\d+");
            context.getBean(Work.class).mayEnd().complete("");
            assertThat(result.get()).isNotNull().succeedsWithin(Locking.TIMEOUT);
        });
    }

    @Test
    void rejectionByStoppedContextNeedsNoThreadOfTheExecutor() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            work.mayEnd().complete("");
            assertThat(work.run()).succeedsWithin(Locking.TIMEOUT); // creates the executor
            context.stop();

            assertThat(work.run())
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockManagerDrainingException.class);
        });
    }

    @Test
    void taskThatExecutorCancelsReleasesLock() {
        contexts.withPropertyValues("spring.task.execution.pool.core-size=1").run(context -> {
            ThreadPoolTaskExecutor executor = context.getBean(ThreadPoolTaskExecutor.class);
            DeafTask first = new DeafTask();
            executor.execute(first::run);
            CompletableFuture<String> result = context.getBean(Work.class).run();
            Awaitility.await().until(() -> executor.getQueueSize() == 1);

            executor.shutdown();

            assertThatThrownBy(() -> result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TaskRejectedException.class)
                    .hasMessageContaining("cancelled");
            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
            first.mayEnd();
        });
    }

    @Test
    void failingTaskDecoratorTakesNoLock() {
        contexts.withBean(TaskDecorator.class, () -> task -> {
                    throw new IllegalStateException("no context");
                })
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Work.class).run()).hasMessage("no context");

                    assertThat(context.getBean(Locking.class).events()).isEmpty();
                });
    }

    @Test
    void callersThreadRunsBodyIfThereIsNoExecutor() {
        alone.run(context -> {
            Work work = context.getBean(Work.class);

            CompletableFuture<String> result = work.run();

            assertThat(work.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(result).isNotDone();
            work.mayEnd().complete("done");
            assertThat(result.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("done");
        });
    }

    @Test
    void interruptEndsWaitOfCallersThread() {
        alone.run(context -> {
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            AtomicReference<@Nullable CompletableFuture<String>> result = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                result.set(context.getBean(Work.class).run());
                flag.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            Awaitility.await().until(() -> Locking.isWaiting(caller));

            caller.interrupt();

            caller.join(60_000);
            assertThat(flag).hasValue(true);
            assertThat(result.get())
                    .isNotNull()
                    .satisfies(future -> assertThatThrownBy(future::get)
                            .isInstanceOf(ExecutionException.class)
                            .hasCauseInstanceOf(InterruptedException.class));
            held.release();
            assertThat(context.getBean(Work.class).thread()).isEmpty();
            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(LockState.Status.FREE);
        });
    }

    /** Copies the value as an application's own decorator does. */
    private static Runnable copyingUser(Runnable task) {
        String user = MDC.get("user");
        return () -> {
            MDC.put("user", user);
            try {
                task.run();
            } finally {
                MDC.remove("user");
            }
        };
    }

    static class Waiting {

        private final Work work;

        Waiting(Work work) {
            this.work = work;
        }

        @DistributedLock(name = "waiting")
        public CompletableFuture<String> run() {
            return CompletableFuture.completedFuture(
                    work.run().thenApply(result -> result).join());
        }
    }

    static class Work {

        private final CompletableFuture<String> mayEnd = new CompletableFuture<>();
        private volatile String thread = "";
        private volatile @Nullable String user;

        public CompletableFuture<String> mayEnd() {
            return mayEnd;
        }

        public String thread() {
            return thread;
        }

        public @Nullable String user() {
            return user;
        }

        @DistributedLock("job")
        public CompletableFuture<String> runAtOnce() {
            return run();
        }

        @DistributedLock(name = "job", waitTime = "2m")
        public CompletableFuture<String> run() {
            thread = Thread.currentThread().getName();
            user = MDC.get("user");
            return mayEnd;
        }
    }
}
