/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.plainjava;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import java.time.Duration;

/** Orders, each of which one process ships at a time. */
final class Orders {

    private final LockManager locks;

    Orders(LockManager locks) {
        this.locks = locks;
    }

    /** Waits up to five seconds for another process. */
    String ship(String order, Runnable work) throws InterruptedException {
        try (Lease lease = locks.acquire("order-" + order, Duration.ofSeconds(5))) {
            work.run(); // any duration: the lease is renewed until it is closed
            lease.ensureHeld(); // before a step that must not happen twice
            return "%s shipped order %s, token %d".formatted(lease.owner(), order, lease.fencingToken());
        }
    }

    /** Does not wait. */
    String shipIfFree(String order) {
        try {
            return locks.call(
                    "order-" + order,
                    lease -> "%s shipped order %s, token %d".formatted(lease.owner(), order, lease.fencingToken()));
        } catch (LockBusyException busy) {
            return "order %s is busy: %s ships it"
                    .formatted(order, busy.holder().owner());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
