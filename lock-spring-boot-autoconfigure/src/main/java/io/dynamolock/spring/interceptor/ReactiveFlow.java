/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.reactivestreams.Publisher;

/**
 * Adapts a locked flow to a publisher. The coroutine that collects it has the follower as an element, and ends only after
 * its producers. An element of {@code flowOn} would not do: once the flow has waited for its collector, its thread does
 * not know that element.
 *
 * @param follower follows the coroutine
 */
record ReactiveFlow(CoroutineFollower follower) {

    @SuppressWarnings("unchecked") // the values are only passed from the method to its caller
    Publisher<Object> publisher(Object flow) {
        return ReactorFlowKt.asFlux((Flow<Object>) flow, follower);
    }
}
