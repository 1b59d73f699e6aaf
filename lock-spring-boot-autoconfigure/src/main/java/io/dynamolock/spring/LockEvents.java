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
 * Publishes lock lifecycle events as {@link LockEvent}s.
 *
 * @since 0.1
 */
public final class LockEvents implements LockListener {

    private final String manager;
    private final ApplicationEventPublisher publisher;

    /**
     * Creates the listener of one lock manager.
     *
     * @param manager its bean name
     * @param publisher the publisher of the events
     */
    public LockEvents(String manager, ApplicationEventPublisher publisher) {
        this.manager = manager;
        this.publisher = publisher;
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        publisher.publishEvent(new LockEvent.Acquired(manager, lease.name(), lease.fencingToken()));
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        publisher.publishEvent(new LockEvent.Released(manager, lease.name(), lease.fencingToken(), outcome));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        publisher.publishEvent(new LockEvent.Lost(manager, lease.name(), lease.fencingToken(), lost));
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        publisher.publishEvent(new LockEvent.RenewalFailed(manager, lease.name(), lease.fencingToken(), failure));
    }
}
