/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import io.dynamolock.Lease;
import io.dynamolock.spring.LockedCall;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Context of the observation of a call.
 *
 * @since 0.1
 */
public final class LockObservationContext extends Observation.Context {

    private final LockedCall call;
    private volatile @Nullable Lease lease;
    private volatile String outcome = "unknown";

    LockObservationContext(LockedCall call) {
        this.call = call;
    }

    /**
     * Returns the observed call.
     *
     * @return the call
     */
    public LockedCall getCall() {
        return call;
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
     * @return {@code acquired}, {@code busy} or {@code failed}; {@code unknown} before the end of the acquisition
     */
    public String getOutcome() {
        return outcome;
    }

    void acquired(Lease held) {
        lease = held;
        outcome = "acquired";
    }

    void busy() {
        outcome = "busy";
    }

    /** Sets the outcome to failed, unless it is known already. */
    void failed() {
        if (outcome.equals("unknown")) {
            outcome = "failed";
        }
    }
}
