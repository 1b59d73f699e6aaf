/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.spring.CallWatch;
import io.dynamolock.spring.CallWatcher;
import io.dynamolock.spring.LockedCall;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes each call of a locked method, as {@link LockObservation} says.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class LockObservations implements CallWatcher {

    private static final LockObservationConvention USUAL = new DefaultLockObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable LockObservationConvention convention;

    /**
     * Creates the watcher.
     *
     * @param registry where the observations go
     * @param convention names them; null for the usual names
     */
    public LockObservations(ObservationRegistry registry, @Nullable LockObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public CallWatch starts(LockedCall call) {
        LockObservationContext context = new LockObservationContext(call);
        Observation observation = LockObservation.CALL.observation(convention, USUAL, () -> context, registry);
        return observation.isNoop() ? CallWatch.NONE : ObservedCall.start(registry, context, observation);
    }
}
