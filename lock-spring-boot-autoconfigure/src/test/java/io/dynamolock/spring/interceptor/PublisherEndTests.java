/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** However a publisher ends, its lock is released and its subscriber notified. */
class PublisherEndTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean("names", Names.class).withBean(Work.class);

    @Test
    void failingCancellationReleases() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Disposable subscription = work.failingCancellation().subscribe();
            work.awaitEntered();

            subscription.dispose();

            LockManager locks = context.getBean(LockManager.class);
            Awaitility.await().until(() -> locks.inspect("job").status() == Status.FREE);
        });
    }

    /** Reactor passes both on to the thread's owner, instead of to the subscriber. */
    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, StackOverflowError.class})
    void errorOfTheThreadReachesTheSubscriber(Class<? extends Error> type) {
        contexts.run(context -> {
            Error error = type.getConstructor().newInstance();

            CompletableFuture<String> result =
                    context.getBean(Work.class).throwing(error).toFuture();

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(error);
            assertThat(context.getBean(LockManager.class).inspect("job").status())
                    .isEqualTo(Status.FREE);
        });
    }

    @Test
    void errorOfTheThreadForRequestedElementReachesTheSubscriber() {
        contexts.run(context -> {
            Error error = new NoClassDefFoundError();

            CompletableFuture<Long> result =
                    context.getBean(Work.class).throwingLater(error).count().toFuture();

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(error);
        });
    }

    /** The exception need not mean that the subscription was cancelled. */
    @Test
    void cancellationInTheNameReachesTheSubscriber() {
        contexts.run(context -> assertThatThrownBy(
                        () -> context.getBean(Work.class).named().block(Locking.TIMEOUT))
                .isInstanceOf(CancellationException.class)
                .hasMessage("on purpose"));
    }

    @Test
    void failureIsNotSignaledWhileAnElementIs() {
        Publisher<Object> failing = subscriber -> {
            subscriber.onSubscribe(new FailingSubscription());
            new SimpleAsyncTaskExecutor().execute(() -> subscriber.onNext("element"));
        };
        SlowSubscriber slow = new SlowSubscriber();
        new ReactiveThreads(new Occupancy()).count(() -> failing).subscribe(slow);
        Locking.await(slow.inside);

        slow.request(1);
        slow.mayEnd.countDown();

        assertThat(slow.failure).succeedsWithin(Locking.TIMEOUT).isEqualTo("after the element");
    }

    private static final class FailingSubscription implements Subscription {

        @Override
        public void request(long elements) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void cancel() {}
    }

    private static final class SlowSubscriber extends BaseSubscriber<Object> {

        private final CountDownLatch inside = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final CompletableFuture<String> failure = new CompletableFuture<>();
        private volatile String place = "before the element";

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            assertThat(subscription).isNotNull(); // and requests nothing
        }

        @Override
        protected void hookOnNext(Object element) {
            place = "within the element";
            inside.countDown();
            Locking.await(mayEnd);
            place = "after the element";
        }

        @Override
        protected void hookOnError(Throwable onPurpose) {
            failure.complete(place);
        }
    }

    static class Names {

        public String broken() {
            throw new CancellationException("on purpose");
        }
    }

    static class Work {

        private final CountDownLatch entered = new CountDownLatch(1);

        @DistributedLock("#{@names.broken()}")
        public Mono<String> named() {
            return Mono.just("done");
        }

        void awaitEntered() {
            Locking.await(entered);
        }

        @DistributedLock("job")
        public Flux<String> failingCancellation() {
            return Flux.create(sink -> {
                sink.onDispose(() -> {
                    throw new IllegalStateException("on purpose");
                });
                entered.countDown();
            });
        }

        @DistributedLock("job")
        public Mono<String> throwing(Error error) {
            return Mono.fromSupplier(() -> {
                throw error;
            });
        }

        @DistributedLock("job")
        public Flux<String> throwingLater(Error error) {
            return Flux.generate(() -> 0, (count, sink) -> {
                if (count == 5) {
                    throw error;
                }
                sink.next("element");
                return count + 1;
            });
        }
    }
}
