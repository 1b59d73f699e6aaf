/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import reactor.core.publisher.Mono;

/** A cancelled method keeps its lock while another locked method that it has called runs. */
class NestedCallTests {

    private final ApplicationContextRunner contexts = Locking.quick()
            .withBean("applicationTaskExecutor", Executor.class, SimpleAsyncTaskExecutor::new)
            .withBean(Inner.class)
            .withBean(Outer.class);

    @Test
    void ofPublisher() {
        isLockedWhileInnerMethodRuns(outer -> outer.mono().subscribe()::dispose);
    }

    @Test
    void ofFuture() {
        isLockedWhileInnerMethodRuns(outer -> {
            CompletableFuture<String> call = outer.future();
            return () -> call.cancel(true);
        });
    }

    private void isLockedWhileInnerMethodRuns(Function<Outer, Runnable> call) {
        contexts.run(context -> {
            Inner inner = context.getBean(Inner.class);
            Runnable cancel = call.apply(context.getBean(Outer.class));
            inner.awaitEntered();

            cancel.run();

            HeldLock.assertHeldUntil(context.getBean(LockManager.class), inner::hasLeft, inner::mayEnd);
        });
    }

    static class Outer {

        private final Inner inner;

        Outer(Inner inner) {
            this.inner = inner;
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            return inner.mono();
        }

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            return inner.future();
        }
    }

    static class Inner {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private volatile boolean left;

        void awaitEntered() {
            Locking.await(entered);
        }

        void mayEnd() {
            mayEnd.countDown();
        }

        boolean hasLeft() {
            return left;
        }

        private String enter() {
            entered.countDown();
            HeldLock.awaitDeaf(mayEnd);
            left = true;
            return "done";
        }

        @DistributedLock("inner")
        public Mono<String> mono() {
            return Mono.fromCallable(this::enter);
        }

        @DistributedLock("inner")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(enter());
        }
    }
}
