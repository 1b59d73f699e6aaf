/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockListener;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.samples.takeover.show.Event.Kind;
import java.time.Duration;

/** Records lock events in the journal. The auto-configuration registers this bean with the lock manager. */
final class LockStory implements LockListener {

    private final Journal journal;

    LockStory(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void onRequest(String name, Operation operation, RequestOutcome outcome) {
        if (operation == Operation.ACQUIRE && outcome == RequestOutcome.REJECTED) {
            journal.add(Kind.WAITING, name, 0, "");
        }
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        note(Kind.ACQUIRED, lease, waited.isZero() ? "" : ", after waiting %d ms".formatted(waited.toMillis()));
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        note(Kind.RENEWED, lease, "");
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        note(Kind.RELEASED, lease, outcome.name());
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        note(Kind.LOST, lease, lost.reason().name());
    }

    private void note(Kind kind, Lease lease, String detail) {
        journal.add(kind, lease.name(), lease.fencingToken(), detail);
    }
}
