/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.TaskRejectedException;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The lock of a method that has not started and never will is free at once, without its minimum hold. */
class UnusedLockTests {

    private static final String HOOK = "late";

    private final ApplicationContextRunner contexts = Locking.quick().withBean(Work.class);

    private static ApplicationContextRunner withExecutor(ApplicationContextRunner contexts, Executor executor) {
        return contexts.withBean("applicationTaskExecutor", Executor.class, () -> executor);
    }

    @Test
    void ofFutureThatIsCancelledInTheQueue() {
        Queue<Runnable> queued = new ConcurrentLinkedQueue<>();
        withExecutor(contexts, queued::add).run(context -> {
            CompletableFuture<String> call = context.getBean(Work.class).future();
            Awaitility.await().until(() -> !queued.isEmpty());

            call.cancel(true);

            assertFreeAsIfNeverHeld(context);
        });
    }

    @Test
    void ofFutureThatIsRejected() {
        Executor full = task -> {
            throw new TaskRejectedException("full");
        };
        withExecutor(contexts, full).run(context -> {
            CompletableFuture<String> call = context.getBean(Work.class).future();

            assertThat(call).failsWithin(Locking.TIMEOUT);
            assertFreeAsIfNeverHeld(context);
        });
    }

    @Test
    void ofPublisherThatIsCancelledInTheQueue() {
        CountDownLatch mayStart = new CountDownLatch(1);
        contexts.run(context -> {
            Schedulers.onScheduleHook(HOOK, task -> () -> {
                HeldLock.awaitDeaf(mayStart);
                task.run();
            });
            try {
                Disposable call = context.getBean(Work.class).mono().subscribe();
                Locking locking = context.getBean(Locking.class);
                Awaitility.await().until(() -> locking.events().contains("+job"));

                call.dispose();
            } finally {
                Schedulers.resetOnScheduleHook(HOOK);
                mayStart.countDown();
            }
            assertFreeAsIfNeverHeld(context);
        });
    }

    private static void assertFreeAsIfNeverHeld(ApplicationContext context) {
        LockManager locks = context.getBean(LockManager.class);
        Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
        assertThat(locks.inspect("job")).extracting(LockState::lastHold).isNull();
        assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        assertThat(context.getBean(Work.class).hasRun()).isFalse();
    }

    static class Work {

        private volatile boolean ran;

        boolean hasRun() {
            return ran;
        }

        @DistributedLock(name = "job", minHold = "1h")
        public CompletableFuture<String> future() {
            ran = true;
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock(name = "job", minHold = "1h")
        public Mono<String> mono() {
            ran = true;
            return Mono.just("done");
        }
    }
}
