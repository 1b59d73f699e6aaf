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
                    Judge.SERVER,
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
                    "return new ClockReading(nanos, millis, millis, millis, LeaseTime.OBSERVED, clock.latestMillis(nanos, time));",
                    "return new ClockReading(nanos, millis, millis - 500, millis + 500, LeaseTime.SERVER);"),
            Mutant.of(
                    "start afresh after a contradiction",
                    Judge.TEST,
                    "IntervalClockTests.aContradictionRefutesTheAssumptionForAnHour",
                    "IntervalClock.java",
                    "contradicted(receivedNanos + HOUR)",
                    "believing(said, refutedUntil)"),
            Mutant.of(
                            "a known time is replaced by dates that agree",
                            Judge.SERVER,
                            "invariant 1",
                            "IntervalClock.java",
                            "        if (known == null) {\n            return",
                            "        if (known == null || said.low() - known.high() > HOUR || known.low() - said.high() > HOUR) {\n            return")
                    .and(
                            "IntervalClock.java",
                            "said.distanceToWall() > HOUR ? doubted(said)",
                            "known != null || said.distanceToWall() > HOUR ? doubted(said)"),
            Mutant.of(
                    "age of what is known ignored",
                    Judge.DATES,
                    "invariant 1",
                    "IntervalClock.java",
                    "Drift.within(Math.max(0, nanos - atNanos))",
                    "0"),
            Mutant.of(
                    "age counted from the answer",
                    Judge.DATES,
                    "invariant 1",
                    "IntervalClock.java",
                    "                        sentNanos,\n                        offset",
                    "                        receivedNanos,\n                        offset"),
            Mutant.of(
                    "whole seconds of dates ignored",
                    Judge.DATES,
                    "invariant 1",
                    "IntervalClock.java",
                    "dated + SECOND - sentNanos",
                    "dated - sentNanos"),
            Mutant.of(
                    "front ends taken to agree",
                    Judge.DATES,
                    "invariant 1",
                    "IntervalClock.java",
                    "dated + SECOND - sentNanos + skewNanos / 2",
                    "dated + SECOND - sentNanos"),
            Mutant.of(
                    "ages below a millisecond ignored",
                    Judge.TEST,
                    "IntervalClockTests.widensHoweverOftenAnswersCome",
                    "IntervalClock.java",
                    "Drift.within(Math.max(0, nanos - atNanos));",
                    "Math.max(0, nanos - atNanos) / 1_000_000 * 500;"),
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
                    "return new Look(true, read);"),
            Mutant.of(
                    "reads before it writes",
                    Judge.TEST,
                    "AcquireTests.acquiresAFreeLockWithOneRequest",
                    "Acquisition.java",
                    "pending = Request.WRITE;\n    private long",
                    "pending = Request.READ;\n    private long"),
            Mutant.of(
                    "does not remember who holds it",
                    Judge.TEST,
                    "AcquireTests.aRefusalTellsWhoHoldsTheLockSinceAndUntilWhen",
                    "Acquisition.java",
                    "            holderSeen = row;\n",
                    ""),
            Mutant.of(
                    "a failure is reported as busy",
                    Judge.TEST,
                    "AcquireTests.aFailureIsNeverReportedAsBusyNorAsSuccess",
                    "Acquisition.java",
                    "            fail(thrown);\n            return;\n        }\n        engine.gate.retrying",
                    "            lastFailure = null;\n            timeIsOver();\n            return;\n        }\n        engine.gate.retrying"),
            Mutant.of(
                            "who gave up keeps what it gets",
                            Judge.TEST,
                            "WaitingTests.cancellingInMidRequestGivesBackWhatWasAcquired",
                            "Acquisition.java",
                            "        if (abandoned || engine.isClosed()) {",
                            "        if (engine.isClosed()) {")
                    .and("AsyncAcquisition.java", "                giveBack();\n", ""),
            Mutant.of(
                    "the holder is forgotten at the end of a wait",
                    Judge.TEST,
                    "LastLookTests.everybodyInLineKnowsTheHolder",
                    "Acquisition.java",
                    "place == null ? null : place.lastHeld();",
                    "null;"),
            Mutant.of(
                    "busy by what was seen before the call",
                    Judge.TEST,
                    "LastLookTests.whatOthersSawBeforeACallBeganDoesNotMakeItBusy",
                    "Acquisition.java",
                    "recently - startedNanos < 0 ? startedNanos : recently;",
                    "recently;"),
            Mutant.of(
                    "no last look",
                    Judge.TEST,
                    "LastLookTests.aLockThatBecameFreeSinceTheLastLookIsAcquired",
                    "Acquisition.java",
                    "looks ? LastLook.READ : LastLook.NOTHING",
                    "looks ? LastLook.NOTHING : LastLook.NOTHING"),
            Mutant.of(
                    "questions for the time without a bound",
                    Judge.TEST,
                    "ServerTimeTests.aClockThatKeepsSteppingIsAskedSixTimesAtMost",
                    "Acquisition.java",
                    "questions < MOST_QUESTIONS && ",
                    ""),
            Mutant.of(
                    "each in line looks for itself",
                    Judge.TEST,
                    "WaitingTests.manyWaitersOfOneProcessCostNoMoreThanOneAndAreServedInOrder",
                    "Acquisition.java",
                    "        if (!mine.isFirst()) {\n            return false;",
                    "        if (mine == null) {\n            return false;"),
            Mutant.of(
                    "nobody stands in for a first in line without a thread",
                    Judge.TEST,
                    "StandInTests.theNextInLineAsksIfTheFirstHasNoThread",
                    "Acquisition.java",
                    "        if (!standsIn && holder != null && mine.standsIn",
                    "        if (!standsIn && holder == null && mine.standsIn"),
            Mutant.of(
                    "a damaged row is free",
                    Judge.TEST,
                    "DamagedRowTests.countsAsHeldUntilItCanBeJudgedAndIsReportedOnceAndLeftAlone",
                    "dynamodb/LockExpressions.java",
                    "EXPIRED = \"(#expiresAt < :before AND #clock = :seenClock)\"",
                    "EXPIRED = \"(NOT #expiresAt >= :before AND #clock = :seenClock)\""),
            Mutant.of(
                    "a clock that is off is not told",
                    Judge.TEST,
                    "SystemTimeTests.aSkewBeyondTheAllowanceIsMeasuredAndTold",
                    "WallLeaseClock.java",
                    "        listener.onClockSample(skew,",
                    "        new LockListener() {}.onClockSample(skew,"),
            Mutant.of(
                    "answers come at any moment",
                    Judge.TEST,
                    "ServerTimeTests.aFewBeatsAreEnoughToKnowTheTimeWell",
                    "ServerLeaseClock.java",
                    "willBeAsked(moment, nanos) ? moment : toNanos",
                    "willBeAsked(moment, nanos) ? toNanos : toNanos"),
            Mutant.of(
                    "each process creates the table",
                    Judge.TEST,
                    "dynamodb.LockTableTests.ofManyProcessesOneCreates",
                    "dynamodb/TableRequests.java",
                    "            return false;\n",
                    "            throw failed(\"Creating\", \"dynamodb:CreateTable\", createdByAnother);\n"));

    private RivalMutants() {}
}
