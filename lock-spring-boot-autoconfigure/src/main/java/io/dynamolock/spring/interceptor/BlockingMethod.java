/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockedWork;
import io.dynamolock.spring.LockInterruptedException;
import io.dynamolock.spring.observation.ObservedCall;
import java.util.Arrays;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** A synchronous method: the lock is held while the thread executes it. */
final class BlockingMethod implements LockedMethod {

    /** What is done with a result while the lock is still held. */
    interface ResultHandler {

        /** Leaves the result as it is. */
        ResultHandler NONE = (result, lease) -> {};

        void handle(@Nullable Object result, Lease lease) throws InterruptedException;
    }

    private final LockSpecification specification;
    private final ResultHandler results;
    private final boolean declaresInterruption;

    /**
     * Creates the method.
     *
     * @param specification the method's lock specification
     * @param results what is done with its results
     */
    BlockingMethod(LockSpecification specification, ResultHandler results) {
        this.specification = specification;
        this.results = results;
        this.declaresInterruption = Arrays.stream(specification.method().getExceptionTypes())
                .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    }

    @Override
    @SuppressWarnings("NullAway") // NullAway does not support the nullable type parameter
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockedCall call = specification.forCall(invocation);
        if (call == null) {
            return specification.skip(invocation);
        }
        ObservedCall observed = call.observe();
        Throwable failure = null;
        try {
            return observed.inScope(() -> invoke(call, observed));
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            observed.ended(failure);
        }
    }

    private @Nullable Object invoke(LockedCall call, ObservedCall observed) throws Throwable {
        Body body = new Body(call.invocation(), observed);
        try {
            body.held = call.holdThroughTransaction();
            Object result = call.manager().call(call.request(), body);
            if (!body.entered) {
                throw call.notRun();
            }
            return result;
        } catch (LockBusyException | LockManagerClosedException | LockManagerDrainingException notAcquired) {
            if (body.entered) {
                throw notAcquired;
            }
            return call.instead(notAcquired, observed);
        } catch (InterruptedException interrupted) {
            if (body.entered || declaresInterruption) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(call.request().name(), interrupted);
        }
    }

    /**
     * The method body. Records that it was entered, which separates failures of the acquisition from those of the body.
     */
    private final class Body implements LockedWork<@Nullable Object> {

        private final MethodInvocation invocation;
        private final ObservedCall call;
        private @Nullable Lease held;
        private boolean entered;

        Body(MethodInvocation invocation, ObservedCall call) {
            this.invocation = invocation;
            this.call = call;
        }

        @Override
        @SuppressWarnings("NullAway") // NullAway does not support the nullable type parameter
        public @Nullable Object run(Lease lease) throws Exception {
            entered = true;
            call.acquired(held == null ? lease : held);
            try {
                Object result = LockedBody.run(invocation, lease);
                results.handle(result, lease);
                return result;
            } catch (Throwable failure) {
                if (held != null) {
                    held.markFailed();
                }
                throw failure;
            }
        }
    }
}
