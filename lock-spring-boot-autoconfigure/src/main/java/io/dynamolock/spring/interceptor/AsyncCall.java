/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LeasedWork;
import io.dynamolock.spring.observation.ObservedCall;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call that blocks no thread while it waits for its lock: the pending acquisition and its observation. */
final class AsyncCall {

    private final LockSpecification specification;
    private final MethodInvocation invocation;
    private final @Nullable LockedCall call;
    private final ObservedCall observed;
    private final CompletableFuture<Lease> acquired;
    private volatile boolean entered;

    private AsyncCall(
            LockSpecification specification,
            MethodInvocation invocation,
            @Nullable LockedCall call,
            ObservedCall observed,
            CompletableFuture<Lease> acquired) {
        this.specification = specification;
        this.invocation = invocation;
        this.call = call;
        this.observed = observed;
        this.acquired = acquired;
    }

    /** Starts a call on the calling thread. A failure to start completes {@link #acquired()} exceptionally. */
    static AsyncCall start(LockSpecification specification, MethodInvocation invocation) {
        ObservedCall observed = ObservedCall.NONE;
        LockedCall call = null;
        try {
            call = specification.forCall(invocation);
            if (call == null) {
                throw new CallSkippedException();
            }
            observed = call.observe();
            return new AsyncCall(specification, invocation, call, observed, call.acquireAsync());
        } catch (RuntimeException failure) {
            return new AsyncCall(specification, invocation, call, observed, CompletableFuture.failedFuture(failure));
        }
    }

    /** Returns the pending lease, which fails with every exception that occurs before the method is entered. */
    CompletableFuture<Lease> acquired() {
        return acquired;
    }

    ObservedCall observed() {
        return observed;
    }

    /** Returns whether {@link #instead} handles this failure. */
    static boolean isNotAcquired(Throwable failure) {
        return failure instanceof CallSkippedException || LockedCall.isNotAcquired(failure);
    }

    /** Returns the exception with which a stage failed, as the stages that depend on it wrap it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Invokes the method under the lease. */
    @SuppressWarnings("NullAway") // NullAway does not support the nullable type parameter
    @Nullable
    Object run(Lease lease) throws Exception {
        entered = true;
        observed.acquired(lease);
        return observed.inScope(() -> LockedBody.run(invocation, lease));
    }

    /**
     * Releases the acquired lock after the method has ended, or at once if it was not entered and never will be. Fails only
     * with a loss of the lock: a failed release has been logged, and the lease expires on its own.
     */
    CompletionStage<Void> end(@Nullable Throwable failure) {
        Lease lease = acquired.join();
        return entered ? LeasedWork.endAsync(lease, failure) : LeasedWork.endUnusedAsync(lease);
    }

    @Nullable
    Object instead(RuntimeException notAcquired) throws Throwable {
        return notAcquired instanceof CallSkippedException
                ? specification.skip(invocation)
                : Objects.requireNonNull(call).instead(notAcquired, observed);
    }
}
