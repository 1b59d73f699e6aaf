/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseValidity.PendingRenewal;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acquisition: everything about a lease that never changes.
 *
 * @param name the lock, as the caller named it
 * @param storedName the name of the lock in the store
 * @param leaseId the lease
 * @param owner the owner
 * @param token the fencing token
 * @param metadata the metadata written with the lease
 * @param leaseDuration the lease duration
 * @param sent the clocks before the first attempt was sent
 * @param end until when the lease is held without a renewal
 * @param autoRenew whether the heartbeat renews it
 * @param maxHold the longest time the lease is held; null for no limit
 * @param minHold the shortest time the lock stays taken
 * @param onLost what happens to the work under the lease if it is lost
 */
record LeaseGrant(
        String name,
        String storedName,
        String leaseId,
        String owner,
        long token,
        Map<String, String> metadata,
        Duration leaseDuration,
        ClockReading sent,
        LeaseExpiry end,
        boolean autoRenew,
        @Nullable Duration maxHold,
        @Nullable Duration minHold,
        OnLost onLost) {

    /** Omits the lease id, which would let its reader release or revoke the lock. */
    @Override
    public String toString() {
        return "LeaseGrant[name=%s, owner=%s, token=%s, end=%s]".formatted(name, owner, token, end);
    }

    /** Creates the write of a renewal. */
    Renew renew(PendingRenewal renewal, LockDelay lockDelay, boolean detaches) {
        LeaseExpiry end = renewal.end();
        return new Renew(
                storedName,
                leaseId,
                renewal.number(),
                lockDelay.inRow(renewal.leaseDuration()),
                lockDelay.inRow(end),
                end.time(),
                renewal.sent().latestStoreTimeAfter(lockDelay.inRow(renewal.leaseDuration())),
                detaches);
    }

    /**
     * Creates the write of the release: for the rest of the minimum hold time, and for the time requested, the row
     * stays taken, unless the lease was lost.
     *
     * @param failed whether the work under the lease has failed
     * @param keep how long the row is to stay taken from now
     * @param number of the end without a holder, if there is one
     */
    Release release(ClockReading now, boolean lost, boolean failed, Duration keep, long number) {
        Duration remaining = Durations.max(remainingMinHold(now.nanos()), keep);
        Duration held = Duration.ofMillis(heldFor(now.nanos()).toMillis());
        LastHold hold = new LastHold(owner, now.middle(), held, failed);
        if (remaining.toMillis() <= 0 || lost) {
            return new Release(storedName, leaseId, now.latestStoreTime(), null, hold);
        }
        return new Release(storedName, leaseId, now.latestStoreTime(), rest(remaining, now, number), hold);
    }

    /** Returns how a row stays taken without a holder for a time from now, as its given change. */
    static Rest rest(Duration time, ClockReading now, long number) {
        LeaseExpiry end = LeaseExpiry.after(now, time);
        Instant free = Instant.ofEpochMilli(end.commonMillis());
        return new Rest(time, free, end.time(), now.latestStoreTimeAfter(time), number);
    }

    /** Returns the part of the row that no renewal changes, and that identifies the lease. */
    LockRow row() {
        return LockRow.builder()
                .leaseId(leaseId)
                .fencingToken(token)
                .tokenFloor(token)
                .build();
    }

    /** Creates the write that releases a lease that no work has used: without minimum hold, and without a trace. */
    Release releaseUnused(ClockReading now) {
        return new Release(storedName, leaseId, now.latestStoreTime(), null);
    }

    Instant acquiredAt() {
        return Instant.ofEpochMilli(sent.wallMillis());
    }

    Duration heldFor(long nowNanos) {
        return Duration.ofNanos(nowNanos - sent.nanos());
    }

    /** Returns the rest of the maximum hold time; null for no limit. */
    @Nullable
    Duration remainingMaxHold(long nowNanos) {
        return maxHold == null ? null : maxHold.minus(heldFor(nowNanos));
    }

    /**
     * Returns the lease duration that a renewal may have now; zero or less if the lease must not be renewed any more.
     */
    Duration renewableDuration(Duration wanted, long nowNanos) {
        Duration remaining = remainingMaxHold(nowNanos);
        return remaining == null ? wanted : Durations.min(wanted, remaining);
    }

    /** Returns the rest of the minimum hold time; zero or less if it has passed. */
    Duration remainingMinHold(long nowNanos) {
        return minHold == null ? Duration.ZERO : minHold.minus(heldFor(nowNanos));
    }
}
