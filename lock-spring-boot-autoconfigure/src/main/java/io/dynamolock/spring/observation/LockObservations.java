/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.spring.ForeignCode;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes calls of locked methods, as documented in {@link LockObservation}. Exceptions of handlers, filters and
 * conventions do not affect the calls: the first one is logged at WARN, all others at DEBUG.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockObservations {

    private static final Logger LOG = LoggerFactory.getLogger(LockObservations.class);
    private static final LockObservationConvention DEFAULT = new DefaultLockObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable LockObservationConvention convention;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * Creates the factory of the observations.
     *
     * @param registry the registry of the observations
     * @param convention the convention for names and keys; null for the default one
     */
    public LockObservations(ObservationRegistry registry, @Nullable LockObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    /**
     * Starts the observation of a call, as a child of the current one of this thread.
     *
     * @param method the called method
     * @param template the name template of its annotation; several are joined
     * @param manager the bean name of the lock manager
     * @param lockName the name of the lock; several are joined
     * @return the observed call, which must be {@linkplain ObservedCall#ended ended}
     */
    public ObservedCall start(Method method, String template, String manager, String lockName) {
        if (registry.isNoop()) {
            return ObservedCall.NONE;
        }
        LockObservationContext context = new LockObservationContext(method, template, manager, lockName);
        return ForeignCode.call(
                () -> start(LockObservation.CALL.observation(convention, DEFAULT, () -> context, registry), context),
                ObservedCall.NONE,
                this::failed);
    }

    private ObservedCall start(Observation observation, LockObservationContext context) {
        if (observation.isNoop()) {
            return ObservedCall.NONE;
        }
        try {
            observation.start();
            return new ObservedCall(observation, context, this::failed);
        } catch (Throwable failure) {
            observation.stop();
            throw failure;
        }
    }

    private void failed(Throwable harmless) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "An observation failed; locked calls are not affected. Further failures are logged at DEBUG",
                    harmless);
        } else {
            LOG.debug("An observation failed", harmless);
        }
    }
}
