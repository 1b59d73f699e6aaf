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
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;

/**
 * Publishes lock lifecycle events as {@link LockEvent}s.
 *
 * @since 0.1
 */
public final class LockEvents implements LockListener {

    private static final ResolvableType ACQUIRED = typeOf(LockEvent.Acquired.class);
    private static final ResolvableType RELEASED = typeOf(LockEvent.Released.class);
    private static final ResolvableType LOST = typeOf(LockEvent.Lost.class);
    private static final ResolvableType RENEWAL_FAILED = typeOf(LockEvent.RenewalFailed.class);

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
        publish(ACQUIRED, new LockEvent.Acquired(manager, lease.name(), lease.fencingToken()));
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        publish(RELEASED, new LockEvent.Released(manager, lease.name(), lease.fencingToken(), outcome));
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        publish(LOST, new LockEvent.Lost(manager, lease.name(), lease.fencingToken(), lost));
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        publish(RENEWAL_FAILED, new LockEvent.RenewalFailed(manager, lease.name(), lease.fencingToken(), failure));
    }

    private void publish(ResolvableType type, LockEvent event) {
        publisher.publishEvent(new TypedEvent(publisher, event, type));
    }

    private static ResolvableType typeOf(Class<? extends LockEvent> event) {
        return ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event);
    }

    /** An event with its type: to derive it from each payload would cost more than to find that nobody listens. */
    private static final class TypedEvent extends PayloadApplicationEvent<LockEvent> {

        private static final long serialVersionUID = 1;

        private final ResolvableType type;

        TypedEvent(Object source, LockEvent event, ResolvableType type) {
            super(source, event, type.getGeneric());
            this.type = type;
        }

        @Override
        public ResolvableType getResolvableType() {
            return type;
        }
    }
}
