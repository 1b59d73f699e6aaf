/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which lock is wanted, and how. Immutable: each method returns a copy. What is not said here (null) is the manager's default.
 *
 * @param name the lock, 1 to 2,048 bytes in UTF-8 with the manager's prefix
 * @param leaseDuration how long the lease lasts without a renewal
 * @param waitTime how long to wait while somebody else has it; zero tries once
 * @param autoRenew whether the heartbeat keeps it alive; true unless said otherwise
 * @param maxHold the longest time it is kept alive; then it is lost
 * @param minHold the shortest time the lock stays taken, even if released earlier
 * @param owner the readable identity to show
 * @param metadata what to write beside it, for operators
 * @param reentrant whether a thread that holds it by a request like this one gets it again at no cost
 * @since 0.1
 */
public record LockRequest(
        String name,
        @Nullable Duration leaseDuration,
        @Nullable Duration waitTime,
        boolean autoRenew,
        @Nullable Duration maxHold,
        @Nullable Duration minHold,
        @Nullable String owner,
        Map<String, String> metadata,
        boolean reentrant,
        @Nullable OnLost onLost) {

    /** Refuses an empty name and durations that make no sense. */
    public LockRequest {
        LockNames.requireText(name);
        Durations.requireLease("leaseDuration", leaseDuration);
        Durations.requireNotNegative("waitTime", waitTime);
        Durations.requireLease("maxHold", maxHold);
        Durations.requireShort("minHold", minHold);
        if (minHold != null && maxHold != null && minHold.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException("minHold (%s) must not exceed maxHold (%s)".formatted(minHold, maxHold));
        }
        metadata = Map.copyOf(metadata);
    }

    /**
     * Asks for a lock with the manager's defaults.
     *
     * @param name the lock
     * @return the request
     * @throws IllegalArgumentException if the name is null or empty
     */
    public static LockRequest of(String name) {
        return new LockRequest(name, null, null, true, null, null, null, Map.of(), false, null);
    }

    /**
     * Asks for another lock in the same way.
     *
     * @param name the lock
     * @return a copy
     */
    public LockRequest name(String name) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says how long the lease lasts without a renewal.
     *
     * @param leaseDuration at least a millisecond, at most a year
     * @return a copy
     */
    public LockRequest leaseDuration(Duration leaseDuration) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says how long to wait while somebody else holds the lock.
     *
     * @param waitTime zero to try once
     * @return a copy
     */
    public LockRequest waitTime(Duration waitTime) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says whether the heartbeat keeps the lease alive.
     *
     * @param autoRenew false for a lease that just runs out
     * @return a copy
     */
    public LockRequest autoRenew(boolean autoRenew) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Limits how long the lease is kept alive, so that stuck work cannot hold the lock for ever.
     *
     * @param maxHold at least a millisecond
     * @return a copy
     */
    public LockRequest maxHold(Duration maxHold) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Keeps the lock taken for a while even if it is released earlier, so that a job that is over in a moment does not run
     * again on a node whose schedule is a little late.
     *
     * @param minHold counted from the acquisition
     * @return a copy
     */
    public LockRequest minHold(Duration minHold) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says which owner to show.
     *
     * @param owner for display only; it decides nothing
     * @return a copy
     */
    public LockRequest owner(String owner) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says what to write beside the lease.
     *
     * @param metadata small texts for operators
     * @return a copy
     */
    public LockRequest metadata(Map<String, String> metadata) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says whether the thread that holds the lock by a request that says so, too, gets it again without a request: the same
     * lease, the same fencing token, released at the last close.
     *
     * @param reentrant true to share
     * @return a copy
     */
    public LockRequest reentrant(boolean reentrant) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }

    /**
     * Says what happens to the work under this lease if the lease is lost.
     *
     * @param onLost null for the manager's default
     * @return a copy
     */
    public LockRequest onLost(@Nullable OnLost onLost) {
        return new LockRequest(
                name, leaseDuration, waitTime, autoRenew, maxHold, minHold, owner, metadata, reentrant, onLost);
    }
}
