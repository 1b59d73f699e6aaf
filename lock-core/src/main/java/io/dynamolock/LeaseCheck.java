/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;

/** Asks the store whether one lease still holds its lock. */
final class LeaseCheck {

    private final EngineContext engine;
    private final HeldLease lease;
    private final LeaseGrant grant;
    private final LeaseLossHandler loss;

    LeaseCheck(EngineContext engine, HeldLease lease, LeaseGrant grant, LeaseLossHandler loss) {
        this.engine = engine;
        this.lease = lease;
        this.grant = grant;
        this.loss = loss;
    }

    /** Reads once, consistently; a row that shows the lease gone ends it. A failure of the store changes nothing. */
    boolean verify(Duration duration) {
        if (!lease.isHeld()) {
            return false;
        }
        Duration timeout = engine.settings.attemptTimeoutFor(duration);
        Answer answer = engine.gate.persistently(
                grant.name(),
                Operation.READ,
                engine.gate.budget(engine.settings.callTimeoutFor(duration)),
                timeout,
                timeouts -> engine.gate.read(grant.name(), grant.stored(), true, timeouts));
        if (answer.row() != null) {
            engine.damagedRows.saw(grant.name(), answer.row(), engine.clock.now());
        }
        if (ConditionFailures.gone(grant.leaseId(), answer.row()).reason() != Reason.UNREACHABLE) {
            loss.found(answer.row());
        }
        return lease.isHeld();
    }
}
