/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.List;

/**
 * What callers of several managers saw, each with the nanoseconds of one monotonic clock. A moment told by a call lies between
 * its start and its end, no more is known.
 *
 * @param tries to acquire
 * @param releases that returned
 * @param beliefs that a lease is held
 */
record History(List<Try> tries, List<Release> releases, List<Belief> beliefs) {

    enum Outcome {
        GRANTED,
        BUSY,
        /** It failed; the lock may have been acquired for all that the caller knows. */
        UNKNOWN
    }

    /**
     * A try to acquire.
     *
     * @param name of the lock
     * @param start before the call
     * @param end after it
     * @param outcome what the caller was told
     * @param leaseId empty unless granted
     * @param token 0 unless granted
     */
    record Try(String name, long start, long end, Outcome outcome, String leaseId, long token) {}

    /**
     * A release that did not fail.
     *
     * @param leaseId of the lease
     * @param end after the call
     */
    record Release(String leaseId, long end) {}

    /**
     * What a lease answered when it was asked whether it is held.
     *
     * @param name of the lock
     * @param leaseId of the lease
     * @param from after the first yes
     * @param until before the last yes
     * @param revived whether there was a yes after a no
     */
    record Belief(String name, String leaseId, long from, long until, boolean revived) {

        /** Also right if there was one yes only, and {@code until} is before {@code from}. */
        boolean overlaps(Belief other) {
            return from <= other.until && other.from <= until;
        }
    }
}
