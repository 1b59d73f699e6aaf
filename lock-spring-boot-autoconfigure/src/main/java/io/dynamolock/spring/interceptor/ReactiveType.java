/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import kotlinx.coroutines.flow.Flow;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;

/**
 * Publisher type, with its conversion to and from Reactor types.
 *
 * @param adapter null for a suspending Kotlin function, which Spring itself adapts to a publisher
 * @param several whether the publisher can emit more than one value
 */
record ReactiveType(@Nullable ReactiveAdapter adapter, boolean several) {

    static final String FLOW = "kotlinx.coroutines.flow.Flow";

    @SuppressWarnings("unchecked") // the values are only passed from the method to its caller
    Publisher<Object> toPublisher(Object result, @Nullable CoroutineEnd coroutine) {
        if (adapter == null) {
            return (Publisher<Object>) result;
        }
        return adapter.toPublisher(coroutine == null ? result : coroutine.follow((Flow<?>) result));
    }

    /** Follows the coroutine that will execute a call or collect its result. Returns null if there is none. */
    @Nullable
    CoroutineEnd follow(MethodInvocation call) {
        if (adapter != null) {
            return adapter.getReactiveType().getName().equals(FLOW) ? new CoroutineEnd() : null;
        }
        CoroutineEnd end = new CoroutineEnd();
        end.follow(call);
        return end;
    }

    Object fromFlux(Flux<Object> flux) {
        Publisher<Object> publisher = several ? flux : flux.singleOrEmpty();
        return adapter == null ? publisher : adapter.fromPublisher(publisher);
    }
}
