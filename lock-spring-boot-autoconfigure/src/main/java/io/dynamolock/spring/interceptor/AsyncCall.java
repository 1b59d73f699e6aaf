/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.CallWatch;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call that blocks no thread while it waits for its lock: the pending acquisition and the callbacks of the call. */
final class AsyncCall {

    private final LockSpecification terms;
    private final MethodInvocation invocation;
    private final CallWatch watch;
    private final CompletableFuture<Lease> acquired;
    private volatile boolean entered;

    private AsyncCall(
            LockSpecification terms, MethodInvocation invocation, CallWatch watch, CompletableFuture<Lease> acquired) {
        this.terms = terms;
        this.invocation = invocation;
        this.watch = watch;
        this.acquired = acquired;
    }

    /** Starts a call on the calling thread. A failure to start completes {@link #acquired()} exceptionally. */
    static AsyncCall start(LockSpecification terms, MethodInvocation invocation) {
        CallWatch watch = CallWatch.NONE;
        try {
            LockRequest request = terms.requestFor(invocation);
            watch = terms.watch(request);
            return new AsyncCall(terms, invocation, watch, terms.manager().acquireAsync(request));
        } catch (RuntimeException failure) {
            return new AsyncCall(terms, invocation, watch, CompletableFuture.failedFuture(failure));
        }
    }

    /** Returns the pending lease, which fails with every exception that occurs before the method is entered. */
    CompletableFuture<Lease> acquired() {
        return acquired;
    }

    CallWatch watch() {
        return watch;
    }

    /** Invokes the method under the lease. */
    @Nullable
    Object run(Lease lease) throws Exception {
        entered = true;
        watch.acquired(lease);
        CallWatch.Scope scope = watch.enter();
        try {
            return LockedBody.run(invocation, lease);
        } finally {
            scope.close();
        }
    }

    /** Reports that the work of the method has completed. */
    void over() {
        if (entered) {
            watch.worked();
        }
    }

    @Nullable
    Object instead(RuntimeException notAcquired) throws Throwable {
        return terms.instead(invocation, notAcquired, watch);
    }
}
