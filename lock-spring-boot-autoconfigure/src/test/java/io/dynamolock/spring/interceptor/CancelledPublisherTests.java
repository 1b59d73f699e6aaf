/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.boot.TestClients;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** A cancelled publisher keeps its lock while a thread that ignores the cancellation executes the method. */
class CancelledPublisherTests {

    private final ApplicationContextRunner contexts = Locking.quick().withBean(Work.class);

    @Test
    void isLockedWhileTheMethodRuns() {
        isLockedUntilLeft(contexts, Work::blockingMethod);
    }

    @Test
    void isLockedWhileItsSourceRuns() {
        isLockedUntilLeft(contexts, Work::blockingSource);
    }

    @Test
    void isLockedWhileRequestedElementIsComputed() {
        isLockedUntilLeft(contexts, Work::blockingSecondElement);
    }

    /** The interrupt is still set when the thread leaves the method and its lock is released. */
    @Test
    void isReleasedInTheTableInSpiteOfTheInterrupt() {
        ApplicationContextRunner withTable = TestClients.contexts(TestClients.http())
                .withPropertyValues("dynamolock.lease.duration=5m")
                .withBean(Work.class);

        isLockedUntilLeft(withTable, Work::blockingMethod);
    }

    @Test
    void isLockedWhileRequestedElementIsComputedAfterCompletion() {
        isLockedUntilLeft(contexts, Work::blockingSecondElementUntilStopped, (work, subscription) -> work.stop());
    }

    private static void isLockedUntilLeft(ApplicationContextRunner contexts, Function<Work, Publisher<String>> method) {
        isLockedUntilLeft(contexts, method, (work, subscription) -> subscription.dispose());
    }

    private static void isLockedUntilLeft(
            ApplicationContextRunner contexts,
            Function<Work, Publisher<String>> method,
            BiConsumer<Work, Disposable> ending) {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            Demand subscription = new Demand();
            method.apply(work).subscribe(subscription);
            work.task().awaitEntered();

            ending.accept(work, subscription);
            HeldLock.assertHeldUntil(locks, work.task()::hasLeft, work.task()::mayEnd);
        });
    }

    @Test
    void isNotEnteredAfterwards() {
        Occupancy method = new Occupancy();
        DeafTask task = new DeafTask();
        task.mayEnd();
        Flux<Object> counted = new ReactiveThreads(method).count(() -> Mono.just(task.run()));

        assertThat(method.close().toCompletableFuture()).isCompleted();

        assertThat(counted.collectList().block()).isEmpty();
        assertThat(task.isEntered()).isFalse();
    }

    /** Requests one element, then the next one on a thread of its own. */
    private static final class Demand extends BaseSubscriber<String> {

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(String element) {
            Thread first = Thread.currentThread();
            Schedulers.single().schedule(() -> {
                Awaitility.await().until(() -> Locking.isWaiting(first)); // it would take over the request
                request(1);
            });
        }
    }

    static class Work {

        private final DeafTask task = new DeafTask();
        private final Sinks.Empty<Void> stop = Sinks.empty();

        DeafTask task() {
            return task;
        }

        void stop() {
            stop.tryEmitEmpty().orThrow();
        }

        @DistributedLock("job")
        public Mono<String> blockingMethod() {
            return Mono.just(task.run());
        }

        @DistributedLock("job")
        public Mono<String> blockingSource() {
            return Mono.fromCallable(task::run);
        }

        @DistributedLock("job")
        public Flux<String> blockingSecondElementUntilStopped() {
            return blockingSecondElement().takeUntilOther(stop.asMono());
        }

        @DistributedLock("job")
        public Flux<String> blockingSecondElement() {
            return Flux.generate(() -> "first", (element, sink) -> {
                sink.next(element.equals("first") ? element : task.run());
                return "second";
            });
        }
    }
}
