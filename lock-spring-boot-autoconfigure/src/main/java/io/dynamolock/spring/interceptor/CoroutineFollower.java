/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LockScope;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.NonCancellable;
import kotlinx.coroutines.ThreadContextElement;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Counts the coroutines that execute a suspending function or collect a flow. A cancellation returns before they end: they
 * may block a thread of any dispatcher, and clean up. Each is known as soon as it runs on a thread; children end before
 * their parents, but a call of another bean's proxy is a coroutine without a parent. One in a scope of its own is detached.
 * Their threads know the lock of the method.
 */
final class CoroutineFollower extends AbstractCoroutineContextElement
        implements ThreadContextElement<@Nullable LockScope> {

    private static final CoroutineContext.Key<CoroutineFollower> KEY = new CoroutineContext.Key<>() {};

    private final Occupancy method;
    private final Supplier<@Nullable LockScope> scope;
    private final Runnable start;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    private volatile boolean started;

    /**
     * Creates a follower.
     *
     * @param method counts the coroutines
     * @param scope returns what is locked in the coroutines
     * @param start called when the first of them starts, which is cancelled if this throws an exception
     */
    CoroutineFollower(Occupancy method, Supplier<@Nullable LockScope> scope, Runnable start) {
        super(KEY);
        this.method = method;
        this.scope = scope;
        this.start = start;
    }

    /** Returns what counts the locked method whose coroutine calls a suspending function; null if there is none. */
    static @Nullable Occupancy methodOfCaller(MethodInvocation call) {
        CoroutineFollower follower = caller(call).getContext().get(KEY);
        return follower == null ? null : follower.method;
    }

    /** Returns whether a result is a coroutine that has ended, so that it does nothing without the lock. */
    static boolean hasEnded(Object result) {
        return result instanceof Job coroutine && coroutine.isCompleted();
    }

    private static Continuation<?> caller(MethodInvocation call) {
        Object[] arguments = call.getArguments();
        return (Continuation<?>) arguments[arguments.length - 1];
    }

    /** Follows the coroutine with which Spring will execute a call of a suspending function. */
    void follow(MethodInvocation call) {
        Continuation<?> caller = caller(call);
        Object[] arguments = call.getArguments();
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

    /** Called whenever a coroutine that has inherited this element continues on a thread. */
    @Override
    public @Nullable LockScope updateThreadContext(CoroutineContext context) {
        Job job = context.get(Job.Key);
        if (job != null && job != NonCancellable.INSTANCE && (!started || isRoot(job))) {
            follow(job);
            start(job);
        }
        LockScope before = LockScope.current();
        LockScope.restore(scope.get());
        return before;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, @Nullable LockScope before) {
        LockScope.restore(before);
    }

    /** A cancelled coroutine does not enter its body, except for the producer of a flow. */
    private void start(Job job) {
        if (started) {
            return;
        }
        started = true;
        try {
            start.run();
        } catch (RuntimeException mustNotStart) {
            CancellationException cancellation = new CancellationException(mustNotStart.getMessage());
            cancellation.initCause(mustNotStart);
            job.cancel(cancellation);
        }
    }

    private boolean isRoot(Job job) {
        return job.getParent() == null && !jobs.contains(job);
    }

    private void follow(Job job) {
        if (method.enter()) {
            jobs.add(job);
            job.invokeOnCompletion(failure -> {
                jobs.remove(job);
                method.leave();
                return Unit.INSTANCE;
            });
        }
    }
}
