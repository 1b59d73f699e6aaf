/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Execution;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockedWork;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/** One locked method, with everything that its annotation says worked out. */
final class LockedMethod {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethod.class);

    private final Method method;
    private final LockRequests requests;
    private final boolean skips;
    private final Supplier<NamedBeanHolder<LockManager>> manager;
    private final Supplier<CallWatcher> watcher;

    LockedMethod(
            Method method,
            LockRequests requests,
            boolean skips,
            Supplier<NamedBeanHolder<LockManager>> manager,
            Supplier<CallWatcher> watcher) {
        this.method = method;
        this.requests = requests;
        this.skips = skips;
        this.manager = manager;
        this.watcher = watcher;
    }

    @Nullable
    Object invoke(MethodInvocation invocation) throws Throwable {
        LockRequest request = requests.forCall(invocation.getThis(), invocation.getArguments());
        CallWatch watch = watch(request);
        CallWatch.Scope scope = watch.enter();
        Throwable failure = null;
        try {
            return invoke(invocation, request, watch);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            scope.close();
            watch.ended(failure);
        }
    }

    private CallWatch watch(LockRequest request) {
        CallWatcher watching = watcher.get();
        return watching == CallWatcher.NONE
                ? CallWatch.NONE
                : HarmlessWatch.of(
                        watching,
                        new LockedCall(
                                method, requests.template(), manager.get().getBeanName(), request.name()));
    }

    private @Nullable Object invoke(MethodInvocation invocation, LockRequest request, CallWatch watch)
            throws Throwable {
        Body body = new Body(invocation, watch);
        try {
            return skips ? runOrSkip(request, body, watch) : manager().call(request, body);
        } catch (InterruptedException interrupted) {
            if (body.entered || declaresInterruption()) {
                throw interrupted;
            }
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(request.name(), interrupted);
        }
    }

    private LockManager manager() {
        return manager.get().getBeanInstance();
    }

    private @Nullable Object runOrSkip(LockRequest request, Body body, CallWatch watch) throws Exception {
        try {
            Execution<@Nullable Object> execution = manager().tryCall(request, body);
            if (execution.executed()) {
                return execution.result();
            }
            watch.busy();
            LOG.debug("Skipped {}: lock '{}' is busy", requests.where(), request.name());
        } catch (LockManagerClosedException stopping) {
            if (body.entered) {
                throw stopping;
            }
            LOG.debug("Skipped {}: the application is stopping", requests.where());
        }
        return ReturnTypes.skipped(method);
    }

    private boolean declaresInterruption() {
        return Arrays.stream(method.getExceptionTypes())
                .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    }

    /** The method itself. It remembers that it was entered: an interruption before that is the wait's, after it the body's. */
    private static final class Body implements LockedWork<@Nullable Object> {

        private final MethodInvocation invocation;
        private final CallWatch watch;
        private boolean entered;

        Body(MethodInvocation invocation, CallWatch watch) {
            this.invocation = invocation;
            this.watch = watch;
        }

        @Override
        @SuppressWarnings("NullAway") // its type parameter is nullable, which NullAway does not follow
        public @Nullable Object run(Lease lease) throws Exception {
            entered = true;
            watch.acquired(lease);
            fillIn(lease);
            Locks.enter(lease);
            try {
                return invocation.proceed();
            } catch (Exception | Error usual) {
                throw usual;
            } catch (Throwable unusual) {
                throw Body.<RuntimeException>unchanged(unusual);
            } finally {
                Locks.leave(lease);
                watch.worked();
            }
        }

        /** A parameter of type Lease that the caller leaves null is for this. */
        private void fillIn(Lease lease) {
            Class<?>[] types = invocation.getMethod().getParameterTypes();
            Object[] arguments = invocation.getArguments();
            for (int i = 0; i < types.length; i++) {
                if (types[i] == Lease.class && arguments[i] == null) {
                    arguments[i] = lease;
                }
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
        }) // lets a Throwable that is no Exception through
        private static <E extends Throwable> E unchanged(Throwable failure) throws E {
            throw (E) failure;
        }
    }
}
