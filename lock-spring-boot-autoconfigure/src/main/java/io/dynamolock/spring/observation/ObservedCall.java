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

/** Observation of one call. Its phases are sequential, so at most one thread at a time calls it. */
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

    /** Opens the scope of the call. The enclosing scope is restored even if a handler throws. */
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

    /**
     * Starts the next phase in the scope of the call, since a tracer uses the current span of the thread as the parent.
     */
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

    /** Ends the observation. A busy lock is a result, not an error, even if the caller receives it as an exception. */
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
