/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.atomic.AtomicBoolean;

/** Detaches one lease. One call at a time does so; to the others the lease is detached, whatever the outcome. */
final class LeaseDetachment {

    private final EngineContext context;
    private final LeaseRelease.Hooks hooks;
    private final HeldLease lease;
    private final LeaseStatus status;
    private final LeaseRenewal renewal;
    private final AtomicBoolean inProgress = new AtomicBoolean();

    LeaseDetachment(
            EngineContext context,
            LeaseRelease.Hooks hooks,
            HeldLease lease,
            LeaseStatus status,
            LeaseRenewal renewal) {
        this.context = context;
        this.hooks = hooks;
        this.lease = lease;
        this.status = status;
        this.renewal = renewal;
    }

    LeaseToken perform() {
        if (!inProgress.compareAndSet(false, true)) {
            throw status.notHeld(LeaseState.DETACHED);
        }
        try {
            detach();
        } finally {
            inProgress.set(false);
        }
        LeaseGrant grant = status.grant;
        return LeaseToken.of(context.client.describe(), grant.storedName(), grant.leaseId(), context.tokenKey);
    }

    /**
     * Ends the lease before its row is marked: the mark may be applied, and another process may resume the lease,
     * before the response arrives.
     */
    private void detach() {
        status.detach();
        hooks.releaseBegun(lease); // before the manager forgets the lease
        try {
            lease.end();
            renewal.markDetached();
            status.handOut();
        } finally {
            hooks.releaseEnded(lease);
        }
    }
}
