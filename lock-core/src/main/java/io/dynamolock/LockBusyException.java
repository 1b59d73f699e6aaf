/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Thrown if another lease held the lock until the wait time had elapsed. Nothing failed and no lock was acquired.
 *
 * @since 0.1
 */
public final class LockBusyException extends LockException {

    private final transient LockState holder;

    LockBusyException(LockState holder) {
        super(holder.name(), message(holder), null);
        this.holder = holder;
    }

    private static String message(LockState holder) {
        return "Lock '%s' is held by '%s' since %s, until %s unless renewed"
                .formatted(holder.name(), holder.owner(), holder.acquiredAt(), holder.expiresAt());
    }

    /**
     * Returns the holder of the lock when it was last read.
     *
     * @return the state from the refused request; no extra read was made for it
     */
    public LockState holder() {
        return holder;
    }
}
