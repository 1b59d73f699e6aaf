/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CancellationException;
import kotlin.Unit;
import kotlinx.coroutines.Job;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;

/**
 * Adapts the deferred value of a locked method to a publisher. Its coroutine is not one of the publisher, whose end does
 * not end it: a cancellation is passed on, and the lock is held until the coroutine has ended.
 *
 * @param adapter the adapter of the type
 * @param method counts the coroutine
 */
record ReactiveDeferred(ReactiveAdapter adapter, Occupancy method) {

    Publisher<Object> publisher(Object result) {
        Job coroutine = (Job) result;
        if (method.enter()) {
            coroutine.invokeOnCompletion(failure -> {
                method.leave();
                return Unit.INSTANCE;
            });
        }
        return Flux.<Object>from(adapter.toPublisher(result))
                .doOnCancel(() -> coroutine.cancel(new CancellationException("The call was cancelled")));
    }
}
