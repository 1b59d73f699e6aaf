/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockScope;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Undeclared;
import io.dynamolock.spring.test.TestLocks;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Whatever a method does on its way, its lock is held until the future that it has returned completes. */
class UnusualFutureTests {

    private final ApplicationContextRunner contexts = Locking.quick()
            .withUserConfiguration(Enabled.class)
            .withBean("applicationTaskExecutor", Executor.class, SimpleAsyncTaskExecutor::new)
            .withBean(Work.class);

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Enabled {}

    /** Fails to be cancelled, and is not convertible. */
    private static final class Unusual extends CompletableFuture<String> {

        private final Throwable failure;

        Unusual(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            throw Undeclared.rethrow(failure);
        }

        @Override
        public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException("on purpose");
        }

        /** Derived stages are unusual, too. */
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>() {
                @Override
                public CompletableFuture<U> toCompletableFuture() {
                    throw new UnsupportedOperationException("on purpose");
                }
            };
        }
    }

    static Stream<Throwable> failures() {
        return Stream.of(new IllegalStateException("on purpose"), new IOException("on purpose"), new AssertionError());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void thatFailsToBeCancelled(Throwable failure) {
        isLockedUntilCompleted(Work::returning, new Unusual(failure), true);
    }

    @Test
    void thatIsNotConvertible() {
        isLockedUntilCompleted(Work::asynchronous);
    }

    @Test
    void ofMethodThatLeavesItsThreadInAnotherScope() {
        isLockedUntilCompleted(Work::leavingScope);
    }

    private void isLockedUntilCompleted(BiFunction<Work, CompletableFuture<String>, CompletableFuture<String>> method) {
        isLockedUntilCompleted(method, new Unusual(new IllegalStateException("on purpose")), false);
    }

    private void isLockedUntilCompleted(
            BiFunction<Work, CompletableFuture<String>, CompletableFuture<String>> method,
            CompletableFuture<String> own,
            boolean cancel) {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            AtomicBoolean completed = new AtomicBoolean();
            CompletableFuture<String> call = method.apply(work, own);
            work.awaitEntered();

            if (cancel) {
                call.cancel(true);
            }
            work.mayEnd();

            HeldLock.assertHeldUntil(context.getBean(LockManager.class), completed::get, () -> {
                completed.set(true);
                own.complete("done");
            });
            if (!cancel) {
                assertThat(call).succeedsWithin(Locking.TIMEOUT).isEqualTo("done");
            }
        });
    }

    static class Work {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        void awaitEntered() {
            Locking.await(entered);
        }

        void mayEnd() {
            mayEnd.countDown();
        }

        @DistributedLock("job")
        public CompletableFuture<String> returning(CompletableFuture<String> own) {
            entered.countDown();
            Locking.await(mayEnd);
            return own;
        }

        @Async
        @DistributedLock("job")
        public CompletableFuture<String> asynchronous(CompletableFuture<String> own) {
            entered.countDown();
            return own;
        }

        @DistributedLock("job")
        public CompletableFuture<String> leavingScope(CompletableFuture<String> own) {
            entered.countDown();
            Lease another = TestLocks.assumeHeld("another").lease();
            LockScope.enter(another);
            return own;
        }
    }
}
