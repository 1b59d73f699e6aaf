/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A cancelled method keeps its lock until another locked method that was cancelled with it has ended. */
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

    @Test
    void ofPublisherWhoseFallbackRuns() {
        contexts.run(context -> {
            Inner inner = context.getBean(Inner.class);
            LockManager locks = context.getBean(LockManager.class);
            Lease busy = locks.tryAcquire("inner").orElseThrow();
            Disposable call = context.getBean(Outer.class).monoOrOther().subscribe();
            inner.task().awaitEntered();

            call.dispose();

            HeldLock.assertHeldUntil(locks, inner.task()::hasLeft, inner.task()::mayEnd);
            busy.release();
        });
    }

    @Test
    void doesNotWaitForSharedSourceThatItConnects() {
        contexts.run(context -> {
            Outer outer = context.getBean(Outer.class);

            assertThat(outer.firstOfShared().toFuture())
                    .succeedsWithin(Locking.TIMEOUT)
                    .isEqualTo("element");

            LockManager locks = context.getBean(LockManager.class);
            assertThat(locks.inspect("job").status()).isEqualTo(Status.FREE);
            assertThat(locks.inspect("inner").status()).isEqualTo(Status.HELD);
        });
    }

    @Test
    void cancelsTheFallbackOfItsFuture() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease busy = locks.tryAcquire("inner").orElseThrow();
            Inner inner = context.getBean(Inner.class);
            CompletableFuture<String> call = context.getBean(Outer.class).futureOrOther();
            inner.task().awaitEntered();

            call.cancel(true);

            Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
            assertThat(inner.instead()).isCancelled();
            busy.release();
        });
    }

    /** The next one waits for the same lock. */
    @Test
    void doesNotWaitForSubscriptionThatItDetachesWithItsContext() {
        contexts.run(context -> {
            Outer outer = context.getBean(Outer.class);

            assertThat(outer.detaching().toFuture())
                    .succeedsWithin(Locking.TIMEOUT)
                    .isEqualTo("done");

            assertThat(outer.detached()).succeedsWithin(Locking.TIMEOUT).isEqualTo("detached");
        });
    }

    @Test
    void doesNotWaitForWhatFollowsItsFuture() {
        contexts.run(context -> {
            Inner inner = context.getBean(Inner.class);
            Outer outer = context.getBean(Outer.class);
            CompletableFuture<String> call = outer.futureWithFollowUp();
            inner.task().awaitEntered();
            Awaitility.await().until(outer::hasFollowUp);

            inner.task().mayEnd();

            assertThat(call).succeedsWithin(Locking.TIMEOUT).isEqualTo("done");
            outer.mayEndFollowUp();
        });
    }

    @Test
    void doesNotWaitForCancelledFutureWhoseTaskIsDropped() {
        Executor threads = new SimpleAsyncTaskExecutor();
        AtomicInteger tasks = new AtomicInteger();
        Executor first = task -> {
            if (tasks.incrementAndGet() == 1) {
                threads.execute(task);
            }
        };
        Locking.quick()
                .withBean("applicationTaskExecutor", Executor.class, () -> first)
                .withBean(Inner.class)
                .withBean(Outer.class)
                .run(context -> {
                    LockManager locks = context.getBean(LockManager.class);
                    Lease busy = locks.tryAcquire("inner").orElseThrow();
                    Locking locking = context.getBean(Locking.class);
                    CompletableFuture<String> call =
                            context.getBean(Outer.class).patientFuture();
                    Awaitility.await().until(() -> locking.waiting().contains("inner"));

                    call.cancel(true);

                    Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
                    busy.release();
                });
    }

    private void isLockedWhileInnerMethodRuns(Function<Outer, Runnable> call) {
        contexts.run(context -> {
            Inner inner = context.getBean(Inner.class);
            Runnable cancel = call.apply(context.getBean(Outer.class));
            inner.task().awaitEntered();

            cancel.run();

            HeldLock.assertHeldUntil(context.getBean(LockManager.class), inner.task()::hasLeft, inner.task()::mayEnd);
        });
    }

    static class Outer {

        private final Inner inner;
        private final CompletableFuture<String> detached = new CompletableFuture<>();
        private final CountDownLatch mayEndFollowUp = new CountDownLatch(1);
        private final Flux<String> shared;
        private volatile boolean followUp;

        Outer(Inner inner) {
            this.inner = inner;
            this.shared = Flux.defer(inner::endless).replay(1).autoConnect();
        }

        CompletableFuture<String> detached() {
            return detached;
        }

        boolean hasFollowUp() {
            return followUp;
        }

        void mayEndFollowUp() {
            mayEndFollowUp.countDown();
        }

        @DistributedLock("job")
        public Mono<String> firstOfShared() {
            return shared.next();
        }

        @DistributedLock("job")
        public Mono<String> detaching() {
            return Mono.deferContextual(context -> {
                Disposable unused = inner.follower().contextWrite(context).subscribe(detached::complete);
                return Mono.just("done");
            });
        }

        @DistributedLock("job")
        public CompletableFuture<String> futureWithFollowUp() {
            CompletableFuture<String> result = inner.future();
            CompletableFuture<Void> unused = result.thenRun(() -> HeldLock.awaitDeaf(mayEndFollowUp));
            followUp = true;
            return result;
        }

        @DistributedLock("job")
        public CompletableFuture<String> futureOrOther() {
            return inner.futureOrOther();
        }

        @DistributedLock("job")
        public Mono<String> monoOrOther() {
            return inner.monoOrOther();
        }

        @DistributedLock("job")
        public CompletableFuture<String> patientFuture() {
            return inner.patientFuture();
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

        private final DeafTask task = new DeafTask();
        private final CompletableFuture<String> instead = new CompletableFuture<>();

        DeafTask task() {
            return task;
        }

        @DistributedLock("inner")
        public Mono<String> mono() {
            return Mono.fromCallable(task::run);
        }

        @DistributedLock("inner")
        public Flux<String> endless() {
            return Flux.just("element").concatWith(Mono.never());
        }

        @DistributedLock(name = "job", waitTime = "10m")
        public Mono<String> follower() {
            return Mono.just("detached");
        }

        @DistributedLock(name = "inner", onBusy = OnBusy.FALLBACK, fallback = "other")
        public CompletableFuture<String> futureOrOther() {
            return CompletableFuture.completedFuture("done");
        }

        CompletableFuture<String> other() {
            task.mayEnd();
            task.run();
            return instead;
        }

        @DistributedLock(name = "inner", onBusy = OnBusy.FALLBACK, fallback = "otherMono")
        public Mono<String> monoOrOther() {
            return Mono.just("done");
        }

        Mono<String> otherMono() {
            return Mono.fromCallable(task::run);
        }

        CompletableFuture<String> instead() {
            return instead;
        }

        @DistributedLock(name = "inner", waitTime = "10m")
        public CompletableFuture<String> patientFuture() {
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock("inner")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(task.run());
        }
    }
}
