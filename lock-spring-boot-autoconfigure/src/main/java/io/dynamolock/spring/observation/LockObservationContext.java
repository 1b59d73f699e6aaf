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
 * What is known of a call while it is observed.
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
     * Returns what was called.
     *
     * @return the call
     */
    public LockedCall getCall() {
        return call;
    }

    /**
     * Returns the lease that the method ran under.
     *
     * @return null before it is acquired, or if it never was
     */
    public @Nullable Lease getLease() {
        return lease;
    }

    /**
     * Returns how the acquisition ended.
     *
     * @return {@code acquired}, {@code busy} or {@code failed}; {@code unknown} until then
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

    /** Unless it is clear already. */
    void failed() {
        if (outcome.equals("unknown")) {
            outcome = "failed";
        }
    }
}
