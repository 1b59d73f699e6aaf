/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.ForeignCode;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The threads that execute a publisher, as they subscribe to it or request its elements. Its end does not stop them: a
 * cancellation, or a completion such as that of {@code take(Duration)}, comes while one of them is still inside.
 */
final class ReactiveThreads {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveThreads.class);

    private final Occupancy method;

    ReactiveThreads(Occupancy method) {
        this.method = method;
    }

    /** Returns a publisher that makes and executes another one on threads that are counted. */
    Flux<Object> count(Supplier<Publisher<Object>> publisher) {
        return Flux.from(subscriber -> {
            ReactiveRequests requests = new ReactiveRequests(Operators.toCoreSubscriber(subscriber));
            if (!requests.execute(() -> publisher.get().subscribe(requests))) {
                Operators.complete(subscriber);
            }
        });
    }

    /**
     * Counts the threads that request elements. What a publisher throws on them is its failure, also an error that Reactor
     * passes on to the thread's owner: otherwise its subscription, and so the lock, would never end. On other threads, such
     * an error of the JVM ends neither.
     */
    private final class ReactiveRequests implements CoreSubscriber<Object>, Subscription {

        private final CoreSubscriber<? super Object> actual;
        private volatile @Nullable Subscription subscription;
        private final AtomicBoolean ended = new AtomicBoolean();

        ReactiveRequests(CoreSubscriber<? super Object> actual) {
            this.actual = Operators.serialize(actual); // a thread may fail while another one emits
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        /** Returns false if no more threads are admitted. */
        boolean execute(Runnable task) {
            if (!method.enter()) {
                return false;
            }
            try {
                task.run();
            } catch (Throwable failure) {
                fail(failure);
            } finally {
                method.leave();
            }
            return true;
        }

        private void fail(Throwable failure) {
            if (!ended.compareAndSet(false, true)) {
                throw Exceptions.propagate(failure);
            }
            if (subscription == null) {
                Operators.error(actual, failure);
            } else {
                cancel();
                actual.onError(failure);
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long elements) {
            execute(() -> Objects.requireNonNull(subscription).request(elements));
        }

        @Override
        public void cancel() {
            ForeignCode.run(
                    () -> Objects.requireNonNull(subscription).cancel(),
                    failure -> LOG.warn("The publisher of a locked method failed on its cancellation", failure));
        }

        @Override
        public void onNext(Object element) {
            actual.onNext(element);
        }

        @Override
        public void onError(Throwable failure) {
            if (ended.compareAndSet(false, true)) {
                actual.onError(failure);
            } else {
                Operators.onErrorDropped(failure, currentContext());
            }
        }

        @Override
        public void onComplete() {
            if (ended.compareAndSet(false, true)) {
                actual.onComplete();
            }
        }
    }
}
