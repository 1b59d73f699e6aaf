/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockBusyException;
import io.dynamolock.spring.ForeignCode;
import io.dynamolock.spring.observation.LockObservation.Event;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.CheckedCallable;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Observation of one call. Its phases are sequential, so at most one thread at a time calls it. No method throws an
 * exception of a handler, a filter or a convention.
 *
 * @since 0.1
 */
public final class ObservedCall {

    /** A call that is not observed. */
    public static final ObservedCall NONE = new ObservedCall(Observation.NOOP, null, failure -> {});

    private final Observation observation;
    private final @Nullable LockObservationContext context;
    private final Consumer<Throwable> failed;

    ObservedCall(Observation observation, @Nullable LockObservationContext context, Consumer<Throwable> failed) {
        this.observation = observation;
        this.context = context;
        this.failed = failed;
    }

    /**
     * Runs work in the scope of the observation: everything that is observed on this thread meanwhile belongs to the
     * call. Restores the enclosing scope, even if a handler throws.
     *
     * @param work the work
     * @param <E> what it throws
     * @return its result
     * @throws E as thrown by the work
     */
    public <E extends Throwable> @Nullable Object inScope(CheckedCallable<@Nullable Object, E> work) throws E {
        if (context == null) {
            return work.call();
        }
        ObservationRegistry registry = observation.getObservationRegistry();
        Observation.Scope around = registry.getCurrentObservationScope();
        Observation.Scope scope = ForeignCode.call(observation::openScope, Observation.Scope.NOOP, failed);
        try {
            return work.call();
        } finally {
            harmless(scope::close);
            registry.setCurrentObservationScope(around);
        }
    }

    /**
     * Returns the Reactor context entries that make the observation the parent of those in a reactive pipeline.
     *
     * @return entries to add to the Reactor context
     */
    public Map<Object, Object> reactorContext() {
        return context == null ? Map.of() : Map.of(ObservationThreadLocalAccessor.KEY, observation);
    }

    /**
     * Signals that the lock has been acquired and the method runs.
     *
     * @param lease the lease
     */
    public void acquired(Lease lease) {
        if (context != null) {
            context.acquired(lease);
            signal(Event.ACQUIRED);
        }
    }

    /** Signals that the lock could not be acquired within the wait time. */
    public void busy() {
        if (context != null) {
            context.busy();
            signal(Event.BUSY);
        }
    }

    /** Notes that the call is skipped, as its manager drains or the application stops. That is no error. */
    public void skipped() {
        if (context != null) {
            context.skipped();
        }
    }

    /**
     * Ends the observation, after the release. A busy lock is a result, not an error, even if the caller receives it as
     * an exception.
     *
     * @param failure the exception that the caller receives; null if the call returned a result
     */
    public void ended(@Nullable Throwable failure) {
        if (context == null) {
            return;
        }
        Lease lease = context.getLease();
        if (lease != null) {
            harmless(() -> ended(lease));
        }
        context.failed();
        if (failure != null && !(failure instanceof LockBusyException && lease == null)) {
            harmless(() -> observation.error(failure));
        }
        harmless(observation::stop);
    }

    private void ended(Lease lease) {
        if (lease.state() == LeaseState.RELEASED) {
            signal(Event.RELEASED);
        } else if (lease.state() == LeaseState.LOST) {
            LeaseLost loss = lease.lost().toCompletableFuture().getNow(null);
            String name = Event.LOST.getName();
            signal(
                    loss == null
                            ? Event.LOST
                            : Observation.Event.of(name, name, loss.at().toEpochMilli()));
        }
    }

    private void signal(Observation.Event event) {
        harmless(() -> observation.event(event));
    }

    private void harmless(Runnable notification) {
        ForeignCode.run(notification, failed);
    }
}
