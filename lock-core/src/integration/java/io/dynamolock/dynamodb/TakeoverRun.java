/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;

/**
 * A holder that was killed (SIGKILL) right after a renewal, and the time since then.
 *
 * @param lastRenewal when it sent its last renewal
 */
record TakeoverRun(Instant lastRenewal) {

    /** A holder's end is earlier than its row's by this part of the lease. */
    private static final int DRIFT = 2_000;

    /** Kills a holder after its next renewal. */
    static TakeoverRun of(ChildJvm holder, Duration lease) throws InterruptedException {
        return of(holder, lease, Duration.ZERO);
    }

    /** Kills a holder whose wall clock is wrong after its next renewal. */
    static TakeoverRun of(ChildJvm holder, Duration lease, Duration wallError) throws InterruptedException {
        Instant end = holder.nextRenewal();
        holder.kill();
        return new TakeoverRun(end.plus(lease.dividedBy(DRIFT)).minus(lease).minus(wallError));
    }

    /** How long ago the last renewal was sent. */
    Duration time() {
        return Duration.between(lastRenewal, Instant.now());
    }

    /** Returns when the last renewal is so long ago. */
    void waitUntil(Duration time) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> time().compareTo(time) >= 0);
    }
}
