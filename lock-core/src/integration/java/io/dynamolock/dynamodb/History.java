/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.List;

/**
 * Observations of callers of several managers, with nanoseconds of one monotonic clock. The moment of a call's effect lies
 * between its start and its end.
 *
 * @param attempts to acquire
 * @param releases that returned
 * @param heldPeriods that a lease is held
 */
record History(List<Attempt> attempts, List<Release> releases, List<HeldPeriod> heldPeriods) {

    enum Outcome {
        GRANTED,
        BUSY,
        /** The call failed; the caller does not know whether the lock was acquired. */
        UNKNOWN
    }

    /**
     * An attempt to acquire.
     *
     * @param name of the lock
     * @param start before the call
     * @param end after it
     * @param outcome the result
     * @param leaseId empty unless granted
     * @param token 0 unless granted
     */
    record Attempt(String name, long start, long end, Outcome outcome, String leaseId, long token) {}

    /**
     * A successful release.
     *
     * @param leaseId of the lease
     * @param end after the call
     */
    record Release(String leaseId, long end) {}

    /**
     * Samples of whether a lease is held.
     *
     * @param name of the lock
     * @param leaseId of the lease
     * @param from after the first yes
     * @param until before the last yes
     * @param revived whether there was a yes after a no
     */
    record HeldPeriod(String name, String leaseId, long from, long until, boolean revived) {

        /** Also right if there was one yes only, and {@code until} is before {@code from}. */
        boolean overlaps(HeldPeriod other) {
            return from <= other.until && other.from <= until;
        }
    }
}
