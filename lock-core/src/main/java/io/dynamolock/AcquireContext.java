/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * What the acquisitions of one manager share.
 *
 * @param engine the store, the clocks, the threads and the waiters
 * @param hooks informs the manager of acquisitions and leases
 * @param undo undoes acquisitions whose outcome is unknown
 * @param shutdownOnLoss shuts down an application whose lease was lost
 * @param owner the owner of a lease whose request names none
 */
record AcquireContext(EngineContext engine, Hooks hooks, Undo undo, ShutdownOnLoss shutdownOnLoss, String owner) {

    /** Informs the manager of acquisitions in progress, and of their leases. */
    interface Hooks extends HeldLease.Hooks {

        void acquisitionBegun(AcquisitionDriver driver);

        void acquisitionEnded(AcquisitionDriver driver);

        /** Whether an id is that of a lease that this manager holds or is releasing. */
        boolean isOwnLease(@Nullable String leaseId);
    }

    /** Creates a lease that has not begun. */
    HeldLease lease(LeaseGrant grant, @Nullable Thread holder) {
        return new HeldLease(engine, hooks, shutdownOnLoss, grant, holder);
    }
}
