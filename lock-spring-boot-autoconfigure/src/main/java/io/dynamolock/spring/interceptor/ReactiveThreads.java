/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The threads that execute a publisher, as they subscribe to it or request its elements. The end of a subscription does not
 * stop them: a cancellation returns while one of them is still inside.
 */
final class ReactiveThreads {

    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** One party for each thread inside, and one that leaves with {@link #close()}. */
    private final Phaser inside = new Phaser(1);

    /** Admits no more threads. Returns a stage that completes when all of them have left. */
    CompletionStage<Void> close() {
        leave();
        return left;
    }

    private void leave() {
        inside.arriveAndDeregister();
        if (inside.isTerminated()) {
            left.complete(null);
        }
    }

    /** Returns a publisher that makes and executes another one on threads that are counted. */
    Flux<Object> count(Supplier<Publisher<Object>> publisher) {
        return Flux.from(subscriber -> {
            CoreSubscriber<? super Object> actual = Operators.toCoreSubscriber(subscriber);
            if (!execute(() -> publisher.get().subscribe(new ReactiveRequests(actual)))) {
                Operators.complete(actual);
            }
        });
    }

    private boolean execute(Runnable task) {
        if (inside.register() < 0) {
            return false;
        }
        try {
            task.run();
        } finally {
            leave();
        }
        return true;
    }

    /** Counts the threads that request elements. */
    private final class ReactiveRequests implements CoreSubscriber<Object>, Subscription {

        private final CoreSubscriber<? super Object> actual;
        private Subscription subscription = Operators.emptySubscription();

        ReactiveRequests(CoreSubscriber<? super Object> actual) {
            this.actual = actual;
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long elements) {
            execute(() -> subscription.request(elements));
        }

        @Override
        public void cancel() {
            subscription.cancel();
        }

        @Override
        public void onNext(Object element) {
            actual.onNext(element);
        }

        @Override
        public void onError(Throwable failure) {
            actual.onError(failure);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }
    }
}
