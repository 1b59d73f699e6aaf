/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * Counts the coroutines that execute a suspending function or collect a flow. A cancellation returns before they end: they
 * may block a thread of any dispatcher, and clean up. Each is known as soon as it runs on a thread; children end before
 * their parents, but a call of another bean's proxy is a coroutine without a parent.
 */
final class CoroutineFollower extends AbstractCoroutineContextElement implements ThreadContextElement<Unit> {

    private static final CoroutineContext.Key<CoroutineFollower> KEY = new CoroutineContext.Key<>() {};

    private final Occupancy method;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    private volatile @Nullable CoroutineFollower outer;
    private volatile boolean started;

    CoroutineFollower(Occupancy method) {
        super(KEY);
        this.method = method;
    }

    /** Follows the coroutine with which Spring will execute a call of a suspending function. */
    void follow(MethodInvocation call) {
        Object[] arguments = call.getArguments();
        Continuation<?> caller = (Continuation<?>) arguments[arguments.length - 1];
        outer = caller.getContext().get(KEY);
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
    Object follow(Object result) {
        return result instanceof Flow<?> flow ? FlowKt.flowOn(flow, this) : result;
    }

    /** Called whenever a coroutine that has inherited this element continues on a thread. */
    @Override
    public Unit updateThreadContext(CoroutineContext context) {
        Job job = context.get(Job.Key);
        if (job != null && (!started || job.getParent() == null)) {
            started = true;
            follow(job);
        }
        return Unit.INSTANCE;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Unit none) {}

    private void follow(Job job) {
        if (jobs.add(job) && method.enter()) {
            job.invokeOnCompletion(failure -> {
                jobs.remove(job);
                method.leave();
                return Unit.INSTANCE;
            });
        }
        CoroutineFollower around = outer;
        if (around != null) {
            around.follow(job);
        }
    }
}
