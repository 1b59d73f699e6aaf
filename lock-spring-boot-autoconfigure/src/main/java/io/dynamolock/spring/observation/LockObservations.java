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
 * Observes each call of a locked method, as documented in {@link LockObservation}.
 *
 * <p>Thread-safe.
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
     * @param registry the registry of the observations
     * @param convention the convention for names and keys; null for the default one
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
