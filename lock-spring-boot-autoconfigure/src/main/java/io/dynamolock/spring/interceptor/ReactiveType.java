/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LockScope;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Publisher type, with its conversion to and from Reactor types.
 *
 * @param adapter null for a suspending Kotlin function, which Spring itself adapts to a publisher
 * @param several whether the publisher can emit more than one value
 */
record ReactiveType(@Nullable ReactiveAdapter adapter, boolean several) {

    static final String FLOW = "kotlinx.coroutines.flow.Flow";

    static final String DEFERRED = "kotlinx.coroutines.Deferred";

    @SuppressWarnings("unchecked") // the values are only passed from the method to its caller
    private Publisher<Object> toPublisher(Object result) {
        if (adapter != null) {
            return adapter.toPublisher(result);
        }
        return result instanceof Publisher ? (Publisher<Object>) result : Mono.just(result); // that of a skipped call
    }

    /**
     * Counts the coroutines that will execute a call. Returns how its result becomes a publisher whose coroutines are
     * counted, too. Kotlin need not be on the class path.
     *
     * @param scope returns what is locked in them
     * @param start called when the first of them starts, which is cancelled if this throws an exception
     */
    Function<Object, Publisher<Object>> follow(
            MethodInvocation call, Occupancy method, Supplier<@Nullable LockScope> scope, Runnable start) {
        if (adapter == null) {
            new CoroutineFollower(method, scope, start).follow(call);
        } else if (isOf(FLOW)) {
            CoroutineFollower follower = new CoroutineFollower(method, scope, start);
            return flow -> ReactiveFlow.publisher(flow, follower);
        } else if (isOf(DEFERRED)) {
            return new ReactiveDeferred(adapter, method)::publisher;
        }
        return this::toPublisher;
    }

    private boolean isOf(String type) {
        return adapter != null && adapter.getReactiveType().getName().equals(type);
    }

    /** Returns what counts the locked method that makes a call or subscribes to its result; null if none does. */
    @Nullable
    Occupancy outer(MethodInvocation call, ContextView subscriber) {
        Occupancy caller = adapter == null ? CoroutineFollower.methodOfCaller(call) : null;
        return caller != null ? caller : subscriber.<@Nullable Occupancy>getOrDefault(Occupancy.class, null);
    }

    /** Returns a call that ends when its caller is cancelled, if that awaits the release nevertheless. */
    Flux<Object> untilCancelled(Flux<Object> call) {
        return isOf(FLOW) ? ReactiveFlow.untilCancelled(call) : call;
    }

    Object fromFlux(Flux<Object> flux) {
        if (isOf(FLOW)) {
            return new ReactiveFlow(flux);
        }
        if (isOf(DEFERRED)) {
            return ReactiveDeferred.of(flux.singleOrEmpty());
        }
        Publisher<Object> publisher = several ? flux : flux.singleOrEmpty();
        return adapter == null ? publisher : adapter.fromPublisher(publisher);
    }
}
