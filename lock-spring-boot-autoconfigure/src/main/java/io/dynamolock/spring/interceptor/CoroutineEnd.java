/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The end of the coroutine that executes a suspending function or collects a flow. A cancellation returns before it: the
 * coroutine may block a thread of any dispatcher, and clean up. Its job is known as soon as it runs on a thread.
 */
final class CoroutineEnd extends AbstractCoroutineContextElement implements ThreadContextElement<Unit>, ExecutionEnd {

    private static final CoroutineContext.Key<CoroutineEnd> KEY = new CoroutineContext.Key<>() {};

    private volatile @Nullable Job job;

    CoroutineEnd() {
        super(KEY);
    }

    /** Follows the coroutine with which Spring will execute a call of a suspending function. */
    void follow(MethodInvocation call) {
        Object[] arguments = call.getArguments();
        Continuation<?> caller = (Continuation<?>) arguments[arguments.length - 1];
        arguments[arguments.length - 1] =
                new Callee<>(caller, caller.getContext().plus(this));
    }

    /** Only Spring reads its context: the result goes to the caller by its publisher. */
    private record Callee<T>(Continuation<T> caller, CoroutineContext context) implements Continuation<T> {

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }

    /** Follows the coroutine that will collect a flow. */
    @Override
    public Object follow(Object result) {
        return result instanceof Flow<?> flow ? FlowKt.flowOn(flow, this) : result;
    }

    /** Called for each coroutine that inherits this element, first for the outermost one. */
    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        if (job == null) {
            job = context.get(Job.Key);
        }
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit none) {}

    /** A coroutine that has not run yet never will. */
    @Override
    public CompletionStage<Void> await() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Job coroutine = job;
        if (coroutine == null) {
            ended.complete(null);
        } else {
            coroutine.invokeOnCompletion(failure -> {
                ended.complete(null);
                return Unit.INSTANCE;
            });
        }
        return ended;
    }
}
