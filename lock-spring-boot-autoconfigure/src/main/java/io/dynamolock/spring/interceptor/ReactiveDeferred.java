/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CancellationException;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.reactor.MonoKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

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
            whenOver(coroutine, method::leave);
        }
        return Flux.<Object>from(adapter.toPublisher(result))
                .doOnCancel(() -> coroutine.cancel(new CancellationException("The call was cancelled")));
    }

    /** Returns the deferred value of a locked call, which begins at once. If cancelled, it ends before its lock. */
    static Object of(Mono<Object> call) {
        LockedCoroutine locked = new LockedCoroutine();
        Job coroutine = BuildersKt.async(
                GlobalScope.INSTANCE,
                Dispatchers.getUnconfined().plus(locked),
                CoroutineStart.DEFAULT,
                (scope, continuation) -> MonoKt.awaitSingleOrNull(
                        call.contextWrite(Context.of(Occupancy.class, locked.holds)), continuation));
        coroutine.invokeOnCompletion(failure -> {
            locked.holds.close();
            return Unit.INSTANCE;
        });
        return coroutine;
    }

    /** Runs an action when a coroutine has ended; that of a locked call, even a cancelled one, with its release. */
    private static void whenOver(Job coroutine, Runnable action) {
        LockedCoroutine locked = coroutine instanceof CoroutineScope scope
                ? scope.getCoroutineContext().<@Nullable LockedCoroutine>get(LockedCoroutine.KEY)
                : null;
        if (locked == null) {
            coroutine.invokeOnCompletion(failure -> {
                action.run();
                return Unit.INSTANCE;
            });
        } else {
            locked.holds.left().thenRun(action);
        }
    }

    /** Marks the coroutine of a locked call. */
    private static final class LockedCoroutine extends AbstractCoroutineContextElement {

        static final CoroutineContext.Key<LockedCoroutine> KEY = new CoroutineContext.Key<>() {};

        final Occupancy holds = new Occupancy(); // by the coroutine and the hold of its lock

        LockedCoroutine() {
            super(KEY);
        }
    }
}
