/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Thrown if another lease held the lock until the wait time had elapsed, or the lock was free but reserved for a
 * process that has waited longer. Nothing failed and no lock was acquired.
 *
 * @since 0.1
 */
public final class LockBusyException extends LockException {

    private final transient LockState holder;

    /**
     * Creates the exception.
     *
     * @param holder the state of the lock
     * @param isOwnLease whether the lock manager that was asked has the lease
     * @param couldReenter whether a request like this could be reentrant, but is not
     */
    LockBusyException(LockState holder, boolean isOwnLease, boolean couldReenter) {
        super(holder.name(), isOwnLease ? ownMessage(holder, couldReenter) : message(holder), null);
        this.holder = holder;
    }

    private static String message(LockState holder) {
        if (holder.status() == LockState.Status.FREE) {
            return "Lock '%s' is free, but reserved for a process that has waited longer, for a second or two"
                    .formatted(holder.name());
        }
        String owner = holder.owner() == null ? "an unknown owner" : "'" + holder.owner() + "'";
        if (holder.kept()) {
            return "Lock '%s' is kept until %s, although %s has released it"
                    .formatted(holder.name(), holder.expiresAt(), owner);
        }
        return heldMessage(holder, owner);
    }

    private static String ownMessage(LockState holder, boolean couldReenter) {
        String message = heldMessage(holder, "this process ('" + holder.owner() + "')");
        return couldReenter
                ? message + ". Its own thread can acquire it again only if both requests are reentrant"
                : message;
    }

    private static String heldMessage(LockState holder, String owner) {
        String since = holder.acquiredAt() == null ? "" : " since " + holder.acquiredAt();
        String until = holder.expiresAt() == null ? "" : ", until " + holder.expiresAt() + " unless renewed";
        return "Lock '%s' is held by %s%s%s".formatted(holder.name(), owner, since, until);
    }

    /**
     * Returns the holder of the lock when it was last read; none if the lock was reserved for a process that has waited
     * longer.
     *
     * @return the state from the rejected request; no extra read was made for it. Null after deserialization
     */
    public LockState holder() {
        return holder;
    }
}
