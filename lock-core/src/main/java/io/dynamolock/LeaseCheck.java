/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import java.time.Duration;

/** Verifies in the store that one lease still holds its lock. */
final class LeaseCheck {

    private final EngineContext context;
    private final LeaseStatus status;
    private final LeaseGrant grant;
    private final LeaseLossHandler loss;

    LeaseCheck(EngineContext context, LeaseStatus status, LeaseLossHandler loss) {
        this.context = context;
        this.status = status;
        this.grant = status.grant;
        this.loss = loss;
    }

    /**
     * Reads the row once, consistently; a row that no longer holds the lease ends it. A failure of the store changes
     * nothing.
     */
    boolean verify() {
        Duration duration = status.duration();
        if (status.isOver()) {
            return false;
        }
        Duration timeout = context.settings.attemptTimeoutFor(duration);
        Response response = context.client.withRetries(
                grant.name(),
                Operation.READ,
                context.client.budget(context.settings.callTimeoutFor(duration)),
                timeout,
                timeouts -> context.client.read(grant.name(), grant.storedName(), true, timeouts));
        if (response.row() != null) {
            context.corruptRows.check(grant.name(), response.row(), context.clock.now());
        }
        if (ConditionFailures.gone(grant.leaseId(), response.row()).reason() != Reason.UNREACHABLE) {
            loss.onRowWithoutLease(response.row());
        }
        return !status.isOver();
    }
}
