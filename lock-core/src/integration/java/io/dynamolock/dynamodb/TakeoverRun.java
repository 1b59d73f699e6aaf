/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;

/**
 * A holder killed (SIGKILL) right after a renewal, and the time since then.
 *
 * @param lastRenewal when it sent the last renewal that it reported
 * @param latestRenewal the same, or when it was dead if this machine stalled: it may have renewed until then
 */
record TakeoverRun(Instant lastRenewal, Instant latestRenewal) {

    /** The fraction of the lease by which the holder's end precedes the end in its row. */
    private static final int DRIFT = 2_000;

    /** Kills a holder after its next renewal. */
    static TakeoverRun of(ChildJvm holder, Duration lease) throws InterruptedException {
        return of(holder, lease, Duration.ZERO);
    }

    /** Kills a holder with a wrong wall clock after its next renewal. */
    static TakeoverRun of(ChildJvm holder, Duration lease, Duration wallError) throws InterruptedException {
        Instant end = holder.nextRenewal();
        holder.kill();
        Instant dead = Instant.now();
        Instant last = end.plus(lease.dividedBy(DRIFT)).minus(lease).minus(wallError);
        boolean stalled = Duration.between(last, dead).compareTo(lease.dividedBy(4)) > 0;
        return new TakeoverRun(last, stalled ? dead : last);
    }

    /** Returns the time since the last renewal was sent. */
    Duration time() {
        return Duration.between(lastRenewal, Instant.now());
    }

    /** Waits until the given time has passed since the last renewal, reported or not. */
    void waitUntil(Duration time) {
        Instant end = latestRenewal.plus(time);
        await().pollInterval(Duration.ofMillis(5)).until(() -> !Instant.now().isBefore(end));
    }
}
