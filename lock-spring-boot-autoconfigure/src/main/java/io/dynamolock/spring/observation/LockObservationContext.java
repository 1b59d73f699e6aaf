/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.Lease;
import io.dynamolock.spring.observation.LockObservation.LowKey;
import io.micrometer.observation.Observation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Context of the observation of a call of a locked method.
 *
 * @since 0.1
 */
public final class LockObservationContext extends Observation.Context {

    private final Method method;
    private final String template;
    private final String manager;
    private final String lockName;
    private volatile @Nullable Lease lease;
    private volatile String outcome = "unknown";

    LockObservationContext(Method method, String template, String manager, String lockName) {
        this.method = method;
        this.template = template;
        this.manager = manager;
        this.lockName = lockName;
    }

    /**
     * Returns the called method.
     *
     * @return the method
     */
    public Method getMethod() {
        return method;
    }

    /**
     * Returns the name template of the annotation, which is the same for all calls of the method.
     *
     * @return the template
     */
    public String getTemplate() {
        return template;
    }

    /**
     * Returns the lock manager.
     *
     * @return its bean name
     */
    public String getManager() {
        return manager;
    }

    /**
     * Returns the name of the lock, which may be a different one for each call.
     *
     * @return the lock name
     */
    public String getLockName() {
        return lockName;
    }

    /**
     * Returns the lease under which the method runs.
     *
     * @return the lease; null before it is acquired, and if it is never acquired
     */
    public @Nullable Lease getLease() {
        return lease;
    }

    /**
     * Returns how the acquisition ended.
     *
     * @return {@code acquired}, {@code busy}, {@code skipped} or {@code failed}; {@code unknown} before the end of the
     *     acquisition
     */
    public String getOutcome() {
        return outcome;
    }

    void acquired(Lease held) {
        lease = held;
        outcome("acquired");
    }

    void busy() {
        outcome("busy");
    }

    void skipped() {
        outcome("skipped");
    }

    /** Sets the outcome to failed, unless it is known already. */
    void failed() {
        if (outcome.equals("unknown")) {
            outcome("failed");
        }
    }

    /** Sets the outcome, also of the key that the meters of later events have, if the convention uses it. */
    private void outcome(String known) {
        outcome = known;
        if (getLowCardinalityKeyValue(LowKey.OUTCOME.asString()) != null) {
            addLowCardinalityKeyValue(LowKey.OUTCOME.withValue(known));
        }
    }
}
