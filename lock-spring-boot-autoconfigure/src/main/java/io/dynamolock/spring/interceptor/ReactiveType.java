/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;

/**
 * A kind of publisher, and its way to Reactor and back.
 *
 * @param adapter null for a suspending function of Kotlin: Spring makes publishers of them itself
 * @param several whether it can have more than one value
 */
record ReactiveType(@Nullable ReactiveAdapter adapter, boolean several) {

    @SuppressWarnings("unchecked") // what comes from a method goes to its caller
    Publisher<Object> toPublisher(Object result) {
        return (Publisher<Object>) (adapter == null ? result : adapter.toPublisher(result));
    }

    Object fromFlux(Flux<Object> flux) {
        Publisher<Object> publisher = several ? flux : flux.singleOrEmpty();
        return adapter == null ? publisher : adapter.fromPublisher(publisher);
    }
}
