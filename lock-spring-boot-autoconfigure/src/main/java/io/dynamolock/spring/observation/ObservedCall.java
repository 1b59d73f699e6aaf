/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.spring.CallWatch;
import io.dynamolock.spring.LockedCall;
import io.dynamolock.spring.observation.LockObservation.LowKey;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call under observation. Its phases follow each other, so at most one thread tells of it at a time. */
final class ObservedCall implements CallWatch {

    private final ObservationRegistry registry;
    private final LockObservationContext context;
    private final Observation call;
    private volatile Observation phase = Observation.NOOP;

    private ObservedCall(ObservationRegistry registry, LockObservationContext context, Observation call) {
        this.registry = registry;
        this.context = context;
        this.call = call;
    }

    static ObservedCall start(ObservationRegistry registry, LockObservationContext context, Observation call) {
        ObservedCall observed = new ObservedCall(registry, context, call);
        try {
            call.start();
            observed.enter(LockObservation.ACQUIRE);
            return observed;
        } catch (RuntimeException failure) {
            call.stop();
            throw failure;
        }
    }

    /** The scope around this one comes back whatever a handler throws. */
    @Override
    public Scope enter() {
        Observation.Scope around = registry.getCurrentObservationScope();
        try {
            Observation.Scope scope = call.openScope();
            return () -> {
                try {
                    scope.close();
                } finally {
                    registry.setCurrentObservationScope(around);
                }
            };
        } catch (RuntimeException failure) {
            registry.setCurrentObservationScope(around);
            throw failure;
        }
    }

    @Override
    public Map<Object, Object> context() {
        return Map.of(ObservationThreadLocalAccessor.KEY, call);
    }

    @Override
    public void acquired(Lease lease) {
        context.acquired(lease);
        enter(LockObservation.HOLD);
    }

    @Override
    public void busy() {
        context.busy();
    }

    @Override
    public void worked() {
        enter(LockObservation.RELEASE);
    }

    /** Within the call's scope, as a tracer takes the current span of a thread for the parent of a new one. */
    private void enter(LockObservation next) {
        phase.stop();
        LockedCall called = context.getCall();
        Scope scope = enter();
        try {
            phase = next.observation(registry)
                    .parentObservation(call)
                    .lowCardinalityKeyValue(LowKey.TEMPLATE.withValue(called.template()))
                    .lowCardinalityKeyValue(LowKey.MANAGER.withValue(called.manager()))
                    .start();
        } finally {
            scope.close();
        }
    }

    /** A busy lock is a result and no error, also where the caller gets it as an exception. */
    @Override
    public void ended(@Nullable Throwable failure) {
        if (failure instanceof LockBusyException && context.getLease() == null) {
            context.busy();
        } else if (failure != null) {
            call.error(failure);
        }
        context.failed();
        try {
            phase.stop();
        } finally {
            call.stop();
        }
    }
}
