/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseValidity.Renewal;
import io.dynamolock.LockStore.Release;
import io.dynamolock.LockStore.Renew;
import io.dynamolock.LockStore.Rest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an acquisition gave, for good: everything about a lease that never changes.
 *
 * @param name the lock, as the caller named it
 * @param stored the lock, as it is in the store
 * @param leaseId the lease
 * @param owner who
 * @param token the fencing token
 * @param metadata written beside it
 * @param lease its duration
 * @param sent the clocks before the first attempt was sent
 * @param end until when it holds without a renewal
 * @param autoRenew whether the heartbeat keeps it alive
 * @param maxHold the longest time it is kept; null for no limit
 * @param minHold the shortest time the lock stays taken
 * @param onLost what happens to the work under it if it is lost
 */
record LeaseGrant(
        String name,
        String stored,
        String leaseId,
        String owner,
        long token,
        Map<String, String> metadata,
        Duration lease,
        ClockReading sent,
        LeaseExpiry end,
        boolean autoRenew,
        @Nullable Duration maxHold,
        @Nullable Duration minHold,
        OnLost onLost) {

    /** Without the lease id, which would give its reader power over the lock. */
    @Override
    public String toString() {
        return "LeaseGrant[name=%s, owner=%s, token=%d, end=%s]".formatted(name, owner, token, end);
    }

    /** How a renewal of it is written. */
    Renew renew(Renewal renewal, LockDelay lockDelay, boolean detaches) {
        LeaseExpiry end = renewal.end();
        return new Renew(
                stored,
                leaseId,
                renewal.number(),
                lockDelay.inRow(renewal.lease()),
                lockDelay.inRow(end),
                end.time(),
                renewal.sent().storeAfter(lockDelay.inRow(renewal.lease())),
                detaches);
    }

    /** How its release is written: what is left of the minimum hold, the row stays taken, unless the lease was lost. */
    Release release(ClockReading now, boolean lost, LockDelay lockDelay) {
        Duration left = leftToKeep(now.nanos());
        if (left.toMillis() <= 0 || lost) {
            return new Release(stored, leaseId, now.storeNow(), null);
        }
        LeaseExpiry end = LeaseExpiry.after(now, left);
        Rest rest = new Rest(
                lockDelay.inRow(left), lockDelay.inRow(end), end.time(), now.storeAfter(lockDelay.inRow(left)));
        return new Release(stored, leaseId, now.storeNow(), rest);
    }

    Instant acquiredAt() {
        return Instant.ofEpochMilli(sent.wallMillis());
    }

    Duration heldFor(long nowNanos) {
        return Duration.ofNanos(nowNanos - sent.nanos());
    }

    /** What is left of the longest time it may be held; null for no limit. */
    @Nullable
    Duration leftToHold(long nowNanos) {
        return maxHold == null ? null : maxHold.minus(heldFor(nowNanos));
    }

    /** How long a renewal may make it last from now; zero or less if it must not be renewed any more. */
    Duration renewable(Duration wanted, long nowNanos) {
        Duration left = leftToHold(nowNanos);
        return left == null ? wanted : Durations.min(wanted, left);
    }

    /** What is left of the time the lock must stay taken; zero or less if nothing is. */
    Duration leftToKeep(long nowNanos) {
        return minHold == null ? Duration.ZERO : minHold.minus(heldFor(nowNanos));
    }
}
