/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens to locks as {@link LockEvent}s.
 *
 * @since 0.1
 */
public final class LockEvents implements LockListener {

    private final ApplicationEventPublisher publisher;

    /**
     * Creates the listener.
     *
     * @param publisher where the events go
     */
    public LockEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        publisher.publishEvent(new LockEvent.Acquired(lease.name(), lease.fencingToken()));
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        publisher.publishEvent(new LockEvent.Released(lease.name(), lease.fencingToken(), outcome));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        publisher.publishEvent(new LockEvent.Lost(lease.name(), lease.fencingToken(), lost));
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        publisher.publishEvent(new LockEvent.RenewalFailed(lease.name(), lease.fencingToken(), failure));
    }
}
