/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LockScope;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.SafeContinuation;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.DisposableHandle;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.reactor.MonoKt;
import kotlinx.coroutines.reactor.ReactorContext;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * The flow that the caller of a locked method gets. Its call is a publisher without elements: the flow of the method emits
 * to the collector itself, so that it may emit null, and neither runs ahead of its collector nor leaves its context. The
 * collector goes on after the release, also if it is cancelled or needs no more elements.
 */
final class ReactiveFlow implements Flow<@Nullable Object> {

    private final Flux<Object> call;

    ReactiveFlow(Flux<Object> call) {
        this.call = call;
    }

    @Override
    public @Nullable Object collect(
            FlowCollector<? super @Nullable Object> collector, Continuation<? super Unit> continuation) {
        SafeContinuation<Unit> caller = new SafeContinuation<>(IntrinsicsKt.intercepted(continuation));
        new ReactiveCollection(collector, continuation.getContext(), caller).start(call);
        return caller.getOrThrow();
    }

    /** Returns a call that ends when its collector is cancelled, and so is not cancelled, but awaited by the collector. */
    static Flux<Object> untilCancelled(Flux<Object> call) {
        return Flux.deferContextual(context -> call.takeUntilOther(
                context.get(ReactiveCollection.class).cancelled.asMono()));
    }

    /** Returns a publisher that ends after the flow of a method, whose coroutine has the follower as an element. */
    @SuppressWarnings("unchecked") // the values are only passed from the method to its caller
    static Publisher<Object> publisher(Object flow, CoroutineFollower follower) {
        return Flux.deferContextual(
                context -> context.get(ReactiveCollection.class).of((Flow<@Nullable Object>) flow, follower));
    }

    /** One collection. */
    private static final class ReactiveCollection implements FlowCollector<@Nullable Object> {

        private final FlowCollector<? super @Nullable Object> collector;
        private final CoroutineContext context; // of the collector
        private final Continuation<Unit> caller;
        private final @Nullable Job job;
        private final @Nullable LockScope scope = LockScope.current(); // of the collector
        private final Sinks.Empty<Void> cancelled = Sinks.empty();
        private volatile @Nullable Throwable thrown; // by the collector: a flow passes it on

        ReactiveCollection(
                FlowCollector<? super @Nullable Object> collector,
                CoroutineContext context,
                Continuation<Unit> caller) {
            this.collector = collector;
            this.context = context;
            this.caller = caller;
            this.job = context.<@Nullable Job>get(Job.Key);
        }

        void start(Flux<Object> call) {
            ReactorContext reactor = context.<@Nullable ReactorContext>get(ReactorContext.Key);
            DisposableHandle handle = job == null
                    ? () -> {}
                    : job.invokeOnCompletion(true, true, cause -> {
                        cancelled.tryEmitEmpty();
                        return Unit.INSTANCE;
                    });
            call.then()
                    .doFinally(end -> handle.dispose())
                    .subscribe(
                            nothing -> {},
                            this::fail,
                            this::end,
                            (reactor == null ? Context.empty() : reactor.getContext())
                                    .put(ReactiveCollection.class, this));
        }

        private void end() {
            if (thrown != null) {
                fail(thrown);
            } else if (job != null && job.isCancelled()) {
                fail(job.getCancellationException());
            } else {
                caller.resumeWith(Unit.INSTANCE);
            }
        }

        private void fail(Throwable failure) {
            caller.resumeWith(ResultKt.createFailure(failure));
        }

        /** The collector is not the parent of the coroutine, which would fail it before it gets the exception. */
        Mono<Object> of(Flow<@Nullable Object> flow, CoroutineFollower follower) {
            return MonoKt.<Object>mono(
                            Dispatchers.getUnconfined()
                                    .plus(context)
                                    .minusKey(Job.Key)
                                    .plus(follower),
                            (coroutine, end) -> flow.collect(this, end))
                    .ignoreElement()
                    .doOnSuccess(end -> thrown = null) // the flow has handled it
                    .onErrorResume(failure -> failure == thrown ? Mono.empty() : Mono.error(failure));
        }

        /** Passes an element on as if the collector had called: a flow must not emit in any other context. */
        @Override
        public @Nullable Object emit(@Nullable Object element, Continuation<? super Unit> flow) {
            JobKt.ensureActive(flow.getContext()); // as not every flow does
            LockScope locked = LockScope.current();
            LockScope.restore(LockScope.open(scope));
            try {
                return collector.emit(element, new Emission(this, flow));
            } catch (Throwable failure) {
                thrown = failure;
                throw failure;
            } finally {
                LockScope.restore(locked);
            }
        }
    }

    /** Continues a flow when its collector, which has suspended, wants the next element: on a thread that knows its lock. */
    private record Emission(ReactiveCollection collection, Continuation<? super Unit> flow)
            implements Continuation<Unit> {

        @Override
        public CoroutineContext getContext() {
            return collection.context;
        }

        @Override
        public void resumeWith(Object result) {
            try {
                ResultKt.throwOnFailure(result);
            } catch (Throwable failure) {
                collection.thrown = failure;
            }
            IntrinsicsKt.intercepted(flow).resumeWith(result);
        }
    }
}
