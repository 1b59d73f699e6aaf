/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in how a rival takes a lock over. */
final class RivalMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "rival compares with the late edge",
                    Judge.SIMULATION,
                    "invariant 1",
                    "Proposer.java",
                    "now.earliestMillis()",
                    "now.latestMillis()"),
            Mutant.of(
                    "rival compares with the middle",
                    Judge.SIMULATION,
                    "invariant 1",
                    "Proposer.java",
                    "now.earliestMillis()",
                    "now.middleMillis()"),
            Mutant.of(
                    "rival waits for its own duration",
                    Judge.OBSERVED,
                    "invariant 1",
                    "Observations.java",
                    "lease == null ? unknownLease : lease",
                    "unknownLease"),
            Mutant.of(
                    "observation counted from the request",
                    Judge.OBSERVED,
                    "invariant 1",
                    "Proposer.java",
                    "observations.saw(stored, row, now.nanos())",
                    "observations.saw(stored, row, sent.sent().nanos())"),
            Mutant.of(
                            "observation ignores renewals",
                            Judge.OBSERVED,
                            "invariant 1",
                            "Observations.java",
                            "\n                    && Objects.equals(other.renewals(), row.renewals())",
                            "")
                    .and("dynamodb/LockExpressions.java", "#renewals = :seenRenewals", "#renewals >= :seenRenewals"),
            Mutant.of(
                    "wall clock where there is no common time",
                    Judge.SERVER,
                    "invariant 1",
                    "ServerLeaseClock.java",
                    "return new ClockReading(nanos, millis, millis, millis, LeaseTime.OBSERVED);",
                    "return new ClockReading(nanos, millis, millis - 500, millis + 500, LeaseTime.SERVER);"),
            Mutant.of(
                    "start afresh after a contradiction",
                    Judge.TEST,
                    "IntervalClockTests.aContradictionRefutesTheAssumptionForAnHour",
                    "IntervalClock.java",
                    "believing(said, receivedNanos + HOUR)",
                    "believing(said, refutedUntil)"),
            Mutant.of(
                    "age of what is known ignored",
                    Judge.TEST,
                    "IntervalClockTests.widensWithAge",
                    "IntervalClock.java",
                    "/ 1_000_000 * DRIFT_PER_MILLION",
                    "/ 1_000_000 * 0"),
            Mutant.of(
                    "an answer from before a suspension believed",
                    Judge.TEST,
                    "IntervalClockTests.isVoidWhenThisMachineStoodStill",
                    "IntervalClock.java",
                    " || range.jumped(offset(wall, nanos))",
                    ""),
            Mutant.of(
                    "clock of the row ignored",
                    Judge.SIMULATION,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "(#expiresAt < :before AND #clock = :seenClock)",
                    "(#expiresAt < :before AND #leaseId <> :seenClock)"),
            Mutant.of(
                    "TTL read as the end of the lease",
                    Judge.SIMULATION,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "(#expiresAt < :before",
                    "(#ttl < :before"),
            Mutant.of(
                    "ends rounded down to whole seconds",
                    Judge.SYSTEM,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "values.put(\":expiresAt\", millis(expiresAt));",
                    "values.put(\":expiresAt\", number(expiresAt.getEpochSecond() * 1000));"),
            Mutant.of(
                    "waiting by writing",
                    Judge.TEST,
                    "WaitingTests.looksByReadingAndWritesOnlyOnceInAMinute",
                    "Lookout.java",
                    "return new Look(false, read);",
                    "return new Look(true, read);"));

    private RivalMutants() {}
}
