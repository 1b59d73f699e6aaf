/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.LockListener.ClockProblem;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockListener.RequestOutcome;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.spring.LockEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.springframework.context.ApplicationEventPublisher;

/** Sends a listener every event, with all values of its enums, so that every meter is registered. */
public final class EveryEvent {

    private static final Duration TIME = Duration.ofMillis(1);

    private EveryEvent() {}

    /** Publishes the event of a skipped call with each reason that one may have. */
    public static void ofSkippedCalls(ApplicationEventPublisher publisher) {
        for (LockEvent.Reason reason : EnumSet.complementOf(EnumSet.of(LockEvent.Reason.CLOSED))) {
            publisher.publishEvent(new LockEvent.Skipped("dynamolockManager", "every", "Job.run", reason));
        }
    }

    public static void to(LockListener listener, LockManager locks) {
        LockStoreException failure = new LockStoreException("every", "on purpose", null, false, true);
        LockState state = locks.inspect("every");
        try (Lease lease = locks.tryAcquire("every").orElseThrow()) {
            for (Operation operation : Operation.values()) {
                for (RequestOutcome outcome : RequestOutcome.values()) {
                    listener.onRequest("every", operation, outcome);
                }
                listener.onRetry("every", operation, failure);
                listener.onRetriesExhausted("every", operation, failure);
            }
            listener.onAcquired(lease, TIME, TIME);
            listener.onBusy(state, TIME, TIME);
            listener.onAcquireFailed("every", failure, TIME);
            listener.onAcquireFailed("every", new CancellationException(), TIME);
            listener.onRenewed(lease, TIME);
            listener.onRenewalFailed(lease, failure, TIME);
            for (LeaseLost.Reason reason : LeaseLost.Reason.values()) {
                listener.onLost(lease, new LeaseLost("every", "owner", reason, Instant.EPOCH, null));
            }
            for (ReleaseOutcome outcome :
                    EnumSet.complementOf(EnumSet.of(ReleaseOutcome.LOST))) { // a loss is reported instead
                listener.onReleased(lease, outcome, TIME);
            }
            listener.onReleaseFailed(lease, failure, TIME);
            listener.onHeartbeatLag(TIME);
            listener.onClockSample(TIME, TIME);
            for (ClockProblem problem : ClockProblem.values()) {
                listener.onClockUntrusted(problem);
            }
            listener.onCorruptRow("every", List.of(), true);
            listener.onCorruptRow("every", List.of(), false);
        }
    }
}
