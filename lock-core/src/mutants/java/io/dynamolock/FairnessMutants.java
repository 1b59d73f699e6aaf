/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in the turns among waiting processes. */
final class FairnessMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a claim outlives its window",
                    Judge.TEST,
                    "TurnClaimsTests.reservationEndsByCommonTimeOnceWindowHasSurelyPassed",
                    "TurnClaims.java",
                    "LONGEST_RESERVATION.toMillis() : windowMillis;",
                    "LONGEST_RESERVATION.toMillis() : LONGEST_RESERVATION.toMillis();"),
            Mutant.of(
                    "a process whose time is uncertain disregards claims",
                    Judge.TEST,
                    "TurnClaimsTests.uncertainTimeEndsNoReservationEarly",
                    "TurnClaims.java",
                    "elapsed >= -limit - uncertainty;",
                    "elapsed >= -limit;"),
            Mutant.of(
                    "a waiter with a claim polls more often than its request permits",
                    Judge.TEST,
                    "WaiterPollingTests.waiterWithClaimPollsNoMoreOftenThanItsRequestPermits",
                    "WaiterPolling.java",
                    "Math.max(TurnClaims.longestGapNanos(age, remaining), Durations.nanos(backoff.min()))",
                    "Math.max(TurnClaims.longestGapNanos(age, remaining), 0)"),
            Mutant.of(
                    "a claim outlives the observation of its window",
                    Judge.TEST,
                    "TurnClaimsTests.reservationEndsOnceRowWasObservedForWindow",
                    "TurnClaims.java",
                    "now.nanos() - latest.sinceNanos() > windowMillis * 1_000_000",
                    "now.nanos() - latest.sinceNanos() > windowMillis * 1_000_000_000"),
            Mutant.of(
                    "a claim has the digits of the language of its process",
                    Judge.TEST,
                    "TurnClaimTests.textHasTheSameDigitsInEachLanguage",
                    "TurnClaim.java",
                    "String.format(Locale.ROOT, ",
                    "String.format("),
            Mutant.of(
                    "a process that releases disregards the claim",
                    Judge.TEST,
                    "FairnessTests.processThatReleasesLeavesNextTurnToClaimant",
                    "memory/Rows.java",
                    "row.isFree() && write.acquiresDespite(row.claim())",
                    "row.isFree()"),
            Mutant.of(
                    "a claim opens a held lock",
                    Judge.TEST,
                    "memory.InMemoryLockStoreTests.claimNeverOpensHeldLock",
                    "memory/Rows.java",
                    "row.isFree() && write.acquiresDespite(row.claim())",
                    "row.claim() == null ? row.isFree() : write.acquiresDespite(row.claim())"),
            Mutant.of(
                    "DynamoDB lets a claim open a held lock",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.claimNeverOpensHeldLock",
                    "dynamodb/LockExpressions.java",
                    "FREE + \" AND NOT (#claim < :claim OR #claim > :claim)\"",
                    "\"(\" + FREE + \" AND attribute_not_exists(#claim) OR #claim = :claim)\""),
            Mutant.of(
                    "a junior claim replaces a senior one",
                    Judge.TEST,
                    "memory.InMemoryLockStoreTests.seniorClaimReplacesJuniorOne",
                    "LockWrite.java",
                    "present.text().compareTo(claim.text()) > 0",
                    "present.text().compareTo(claim.text()) < 0"),
            Mutant.of(
                    "a waiter that gives up leaves its claim",
                    Judge.TEST,
                    "FairnessTests.waiterThatGivesUpWithdrawsItsClaim",
                    "AcquisitionWait.java",
                    "            if (!acquired) {\n                withdrawClaim();",
                    "            if (acquired) {\n                withdrawClaim();"),
            Mutant.of(
                    "an acquire leaves the claim in the row",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.takeoverDisregardsAndRemovesClaim",
                    "dynamodb/LockExpressions.java",
                    "REMOVE #revoked, #detached, #claim, #metadata",
                    "REMOVE #revoked, #detached, #metadata"),
            Mutant.of(
                    "a waiter claims the turn of its own process",
                    Judge.TEST,
                    "FairnessTests.waiterClaimsNoTurnOfItsOwnProcess",
                    "AcquisitionWait.java",
                    "if (claim != null && row != null && !hooks.isOwnLease(row.leaseId())) {",
                    "if (claim != null && row != null) {"),
            Mutant.of(
                    "a waiter claims before it has missed a turn",
                    Judge.TEST,
                    "FairnessTests.nobodyClaimsWhileNobodyMissesTurn",
                    "TurnClaims.java",
                    "held.highestToken() > since",
                    "held.highestToken() >= since"),
            Mutant.of(
                    "waiters poll ever more rarely while the lock changes hands",
                    Judge.TEST,
                    "WaiterPollingTests.changeOfHolderShortensTheGap",
                    "WaiterPolling.java",
                    "turnNanos = sameTurn ? turnNanos : now.nanos();",
                    "sameTurn |= latestRow != null;"),
            Mutant.of(
                    "a hint has no effect",
                    Judge.TEST,
                    "WaitingTests.hintMakesFirstWaiterTryImmediately",
                    "DefaultLockManager.java",
                    "context.waitQueues.hint(context.names.toStored(name));",
                    "context.names.toStored(name);"),
            Mutant.of(
                    "nobody claims",
                    Judge.TEST,
                    "FairnessTests.eachProcessIsServedInTurn",
                    "TurnClaims.java",
                    "return missedTurn && !claimed",
                    "return missedTurn && claimed"),
            Mutant.of(
                    "a malformed claim closes the lock",
                    Judge.TEST,
                    "TurnClaimsTests.malformedClaimReservesNothing",
                    "TurnClaims.java",
                    "claim == null || !claim.isValid() || !row.isFree()",
                    "claim == null || !row.isFree()"),
            Mutant.of(
                    "a waiter with a claim polls a long hold each second",
                    Judge.TEST,
                    "WaiterPollingTests.waiterWithClaimPollsLongHoldAsRarelyAsOthers",
                    "TurnClaims.java",
                    "endsSoon || ageNanos < LONG_HOLD.toNanos() ?",
                    "ageNanos >= 0 ?"),
            Mutant.of(
                    "a row without a readable holder is polled at the shortest interval",
                    Judge.TEST,
                    "WaiterPollingTests.rowWithoutReadableHolderIsPolledEverMoreRarely",
                    "WaiterPolling.java",
                    "return sameHolder || before.isSameTurn(now) || before.equals(now);",
                    "return sameHolder || before.isSameTurn(now);"),
            Mutant.of(
                    "poll intervals of a request are ignored",
                    Judge.TEST,
                    "WaitingTests.requestWithLongIntervalsCostsFewReads",
                    "EngineContext.java",
                    "if (ownMin == null && ownMax == null) {",
                    "if (ownMin == null || ownMax == null) {"),
            Mutant.of(
                    "the end of a usual hold is not expected",
                    Judge.TEST,
                    "UsualHoldTests.endOfUsualHoldIsNoticedSoonForNoMoreReads",
                    "WaiterPolling.java",
                    "remaining == null ? backoff.delayNanos(age)",
                    "remaining == null || age >= 0 ? backoff.delayNanos(age)"),
            Mutant.of(
                    "a hold that outlasts the usual is polled often for ever",
                    Judge.TEST,
                    "UsualHoldTests.holdThatOutlastsTheUsualIsPolledRarelyAgain",
                    "time/PollBackoff.java",
                    "Math.max(Math.abs(remainingNanos) * NEAR, shortest)",
                    "Math.max(remainingNanos * NEAR, shortest)"),
            Mutant.of(
                    "holds of different durations are expected to repeat",
                    Judge.TEST,
                    "UsualHoldTests.isUnknownAfterHoldsOfDifferentDurations",
                    "RecordedHolds.java",
                    "return isRepeated ? duration : null;",
                    "return duration;"),
            Mutant.of(
                    "an own acquisition forgets how long holds take",
                    Judge.TEST,
                    "UsualHoldTests.isKnownAfterOwnAcquisition",
                    "Observations.java",
                    "        byName.remove(name);\n",
                    "        byName.remove(name);\n        holdsByName.remove(name);\n"),
            Mutant.of(
                    "a kept lock is a new hold for each poll",
                    Judge.TEST,
                    "UsualHoldTests.keptLockIsOneHold",
                    "RecordedHolds.java",
                    "hold.endedAt().equals(endedAt) || ",
                    ""),
            Mutant.of(
                    "an own hold counts as one of others",
                    Judge.TEST,
                    "UsualHoldTests.ownHoldIsNotLearned",
                    "RecordedHolds.java",
                    " || ownEnds.contains(hold.endedAt())",
                    ""),
            Mutant.of(
                    "a hold that found nothing to do is expected to repeat",
                    Judge.TEST,
                    "UsualHoldTests.shortHoldIsNotLearned",
                    "RecordedHolds.java",
                    "return next.compareTo(SHORTEST) < 0",
                    "return next.isNegative()"),
            Mutant.of(
                    "a long hold is expected to repeat after any number of short ones",
                    Judge.TEST,
                    "UsualHoldTests.secondShortHoldEndsTheExpectation",
                    "RecordedHolds.java",
                    "wasShort ? null : duration",
                    "duration"),
            Mutant.of(
                    "a row that is read before an own release tells of another hold",
                    Judge.TEST,
                    "UsualHoldTests.rowThatIsReadBeforeOwnReleaseTellsNothingNew",
                    "RecordedHolds.java",
                    "return new RecordedHolds(endedAt, ends, duration",
                    "return new RecordedHolds(own.endedAt(), ends, duration"),
            Mutant.of(
                    "a row that is read while a lock is released tells of another process",
                    Judge.TEST,
                    "UsualHoldTests.ownHoldsAreNotLearnedWhileOneIsReleased",
                    "RecordedHolds.java",
                    "List.of(own.endedAt(), ownEnds.get(0))",
                    "List.of(own.endedAt())"),
            Mutant.of(
                    "a row does not tell how long the hold took",
                    Judge.TEST,
                    "UsualHoldTests.newProcessExpectsTheHoldBefore",
                    "LeaseGrant.java",
                    "new LastHold(owner, now.middle(), held, failed)",
                    "new LastHold(owner, now.middle(), null, failed)"),
            Mutant.of(
                    "a waiter with a claim polls rarely when the hold should end",
                    Judge.TEST,
                    "UsualHoldTests.waiterWithClaimPollsOftenAroundTheUsualEnd",
                    "TurnClaims.java",
                    "return endsSoon || ageNanos",
                    "return ageNanos"),
            Mutant.of(
                    "a waiter claims a turn whose window it cannot use",
                    Judge.TEST,
                    "TurnClaimsTests.waiterThatPollsTooRarelyForTheWindowClaimsNothing",
                    "TurnClaims.java",
                    "missedTurn && !claimed && useful ?",
                    "missedTurn && !claimed ?"),
            Mutant.of(
                    "a waiter gives up a row whose rejections it does not understand",
                    Judge.TEST,
                    "WaiterPollingTests.triesAgainAfterAWhileAlthoughRowIsUnchanged",
                    "WaiterPolling.java",
                    "if (row.equals(attemptedOn) && now.nanos() - attemptedNanos < RETRY_NANOS) {",
                    "if (row.equals(attemptedOn)) {"),
            Mutant.of(
                    "each waiter polls a long hold as if it had just begun",
                    Judge.TEST,
                    "WaiterPollingTests.waiterThatComesLatePollsAsRarelyAsTheOthers",
                    "WaiterPolling.java",
                    "return Math.max(observed,",
                    "return Math.min(observed,"),
            Mutant.of(
                    "an attempt that met a claim is forgotten",
                    Judge.EXPLORER,
                    "invariant 4 in scope: claims of waiting processes",
                    "ConditionFailures.java",
                    "if (row.isFree() && !write.acquiresDespite(row.claim())) {",
                    "if (row.isFree() && row.highestToken() >= write.token() && !write.acquiresDespite(row.claim())) {"));

    private FairnessMutants() {}
}
