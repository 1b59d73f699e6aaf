/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

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
    Publisher<Object> toPublisher(Object result, ExecutionEnd end) {
        return adapter == null ? (Publisher<Object>) result : adapter.toPublisher(end.follow(result));
    }

    /** Returns the end of what will execute a call, which it follows. Kotlin need not be on the class path. */
    ExecutionEnd follow(MethodInvocation call) {
        if (adapter != null && !adapter.getReactiveType().getName().equals(FLOW)) {
            return ExecutionEnd.NONE;
        }
        CoroutineEnd end = new CoroutineEnd();
        if (adapter == null) {
            end.follow(call);
        }
        return end;
    }

    Object fromFlux(Flux<Object> flux) {
        Publisher<Object> publisher = several ? flux : flux.singleOrEmpty();
        return adapter == null ? publisher : adapter.fromPublisher(publisher);
    }
}
