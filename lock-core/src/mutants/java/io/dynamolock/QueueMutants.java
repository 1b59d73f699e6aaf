/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in the queue of the callers of one process, and in what they hand to each other. */
final class QueueMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "reads of many threads keep out each acquisition",
                    Judge.TEST,
                    "RequestLimitTests.acquisitionsGetEveryFourthPermit",
                    "RequestLimit.java",
                    "others.isEmpty() || granted % ACQUISITION_TURN == 0",
                    "others.isEmpty()"),
            Mutant.of(
                    "a task that the executor for futures drops is forgotten",
                    Judge.TEST,
                    "time.CompletionsTests.executorThatDropsTasksDelaysTheCompletion",
                    "time/Completions.java",
                    "        if (!ownsExecutor) {\n            completion.awaitStart();\n        }\n",
                    ""),
            Mutant.of(
                    "a release within the release of a lease waits for itself",
                    Judge.TEST,
                    "ReleaseListenerTests.releaseDuringTheRequestOfTheReleaseIsRejected",
                    "LeaseRelease.java",
                    "!performed.isDone() && performed.thread == Thread.currentThread()",
                    "performed.thread == null"),
            Mutant.of(
                    "a late lease behind the first waiter keeps the lock busy",
                    Judge.TEST,
                    "StandInTests.lateLeaseIsReplacedBehindFirstWaiter",
                    "AcquisitionAttempt.java",
                    "return isOpen() || replacesLateLease();",
                    "return isOpen();"),
            Mutant.of(
                    "a late lease whose replacement fails waits for its turn",
                    Judge.TEST,
                    "StandInTests.lateLeaseIsReplacedBehindFirstWaiter",
                    "AcquisitionAttempt.java",
                    "return lateProposal != null && proposer",
                    "return lateProposal != null && proposal == null && proposer"),
            Mutant.of(
                    "a stand-in that becomes first drops its write",
                    Judge.TEST,
                    "StandInTests.failedWriteIsRepeatedByStandInThatBecomesFirst",
                    "AcquisitionWait.java",
                    "!wasFirst && !pollsForFirst",
                    "!wasFirst"),
            Mutant.of(
                    "a failure before the loss of a turn counts later",
                    Judge.TEST,
                    "StandInTests.failureBeforeLossOfTurnIsForgotten",
                    "Acquisition.java",
                    "            requests.startOver();\n",
                    ""),
            Mutant.of(
                    "a release in this JVM counts as older than what an earlier request has shown",
                    Judge.TEST,
                    "LocalWaitQueuesTests.releaseInThisJvmEndsKnowledgeOfTheHolder",
                    "KnownHolder.java",
                    "waiter.releases() == releasesBefore)",
                    "waiter.releases() == releasesBeforeRequest)"),
            Mutant.of(
                    "an unanswered write is given up at the end of the wait",
                    Judge.TEST,
                    "StandInTests.unansweredWriteGoesOnBehindFirstWaiterAfterWaitTime",
                    "Acquisition.java",
                    "return attempt.mustGoOn() ||",
                    "return"),
            Mutant.of(
                    "a denied request of one caller makes all others attempt",
                    Judge.TEST,
                    "StandInTests.deniedRequestOfOneCallerMakesNoOtherAttempt",
                    "AcquisitionWait.java",
                    " && !typed.isAnswered()",
                    ""),
            Mutant.of(
                    "waiters fail together in one outage only",
                    Judge.TEST,
                    "LocalWaitQueuesTests.failureOfTheStoreLetsThoseAttemptAgainThatGotAResponse",
                    "LocalWaitQueues.java",
                    "                history.responded();\n",
                    ""),
            Mutant.of(
                    "an attempt overtaken by an acquirer does not learn of the release",
                    Judge.TEST,
                    "LocalWaitQueuesTests.attemptPassedByAnAcquirerIsHandedTheLock",
                    "LocalWaitQueues.java",
                    "                    attempt.released = true; // what",
                    "                    // what"),
            Mutant.of(
                    "a hand-off owed by an overtaken waiter is lost",
                    Judge.TEST,
                    "LocalWaitQueuesTests.handOffOwedByOvertakenWaiterPassesToFirst",
                    "LocalWaitQueues.java",
                    "next = passesHandOff ?",
                    "next = passesHandOff && first ?"),
            Mutant.of(
                    "a hand-off to an emptied queue is lost",
                    Judge.TEST,
                    "LocalWaitQueuesTests.handOffOfEmptiedQueuePassesToAttempt",
                    "LocalWaitQueues.java",
                    "} else if (attempt != null) {\n            attempt.released",
                    "} else if (attempt != null && queue != null) {\n            attempt.released"),
            Mutant.of(
                    "a turn is claimed at the end of the wait",
                    Judge.TEST,
                    "FinalPollTests.noTurnIsClaimedAtTheEnd",
                    "AcquisitionWait.java",
                    "left.compareTo(backoff.max()) >= 0",
                    "!left.isNegative()"),
            Mutant.of(
                    "a final read without time hides the holder",
                    Judge.TEST,
                    "FinalPollTests.finalReadWithoutTimeDoesNotHideHolder",
                    "Acquisition.java",
                    "!(isRejected() || endsAsBusy)",
                    "!isRejected()"),
            Mutant.of(
                    "a lock that was seen free counts as held",
                    Judge.TEST,
                    "LocalWaitQueuesTests.freeRowEndsKnowledgeOfTheHolder",
                    "QueueHistory.java",
                    "            heldNanos = null; // one",
                    "            // one"),
            Mutant.of(
                    "a request of the moment of the call counts as sent after it",
                    Judge.TEST,
                    "LocalWaitQueuesTests.followersLearnSinceWhenLockWasSeenHeld",
                    "LocalWaitQueues.java",
                    "return history.wasHeldSince(nanos + 1);",
                    "return history.wasHeldSince(nanos);"),
            Mutant.of(
                    "a late response replaces what a later request has shown",
                    Judge.TEST,
                    "LocalWaitQueuesTests.lateResponseDoesNotReplaceNewerOne",
                    "QueueHistory.java",
                    "if (newestNanos != null && sentNanos - newestNanos < 0) {",
                    "if (false) {"),
            Mutant.of(
                    "a lock that is reserved counts as free for all",
                    Judge.TEST,
                    "LocalWaitQueuesTests.rowReservedByClaimLeavesKnowledgeOfTheHolder",
                    "QueueHistory.java",
                    "} else if (row.claim() == null) {",
                    "} else {"),
            Mutant.of(
                    "one failure among responses makes all waiters attempt",
                    Judge.TEST,
                    "LocalWaitQueuesTests.failureAmongResponsesLetsNobodyAttempt",
                    "LocalWaitQueues.java",
                    "queue == null || (failed != null && failed.wasAnsweredSince())",
                    "queue == null"),
            Mutant.of(
                    "a permanent failure of the final read is busy",
                    Judge.TEST,
                    "FinalPollTests.permanentFailureOfFinalReadIsReported",
                    "Acquisition.java",
                    " && thrown.isRetryable()",
                    ""),
            Mutant.of(
                    "a hand-off taken by an overtaken waiter is lost",
                    Judge.TEST,
                    "StandInTests.handOffTakenByOvertakenWaiterPassesToFirst",
                    "AcquisitionWait.java",
                    "        own.passOwedHandOff();\n",
                    ""),
            Mutant.of(
                    "a release wakes no waiter of its process",
                    Judge.SIMULATION,
                    "invariant 6",
                    "LeaseRelease.java",
                    "if (ConditionFailures.showsFreeLock(response)) {",
                    "if (false) {"),
            Mutant.of(
                    "a release without a response hands nothing over",
                    Judge.TEST,
                    "ReleaseTests.releaseWithoutResponseHandsLockOver",
                    "LeaseRelease.java",
                    "            if (budget.anyUnanswered()) {\n                handOff(write);",
                    "            if (false) {\n                handOff(write);"),
            Mutant.of(
                    "a release by an operator without a response hands nothing over",
                    Judge.TEST,
                    "ForceFreeTests.freeingWithoutResponseHandsLockOver",
                    "RowAdministration.java",
                    "if (frees && writeBudget.anyUnanswered()) {",
                    "if (false) {"),
            Mutant.of(
                    "an undo whose response was lost hands nothing over",
                    Judge.TEST,
                    "UndoTests.undoWhoseResponseWasLostHandsLockOver",
                    "UndoCase.java",
                    "response.applied() || unanswered;",
                    "response.applied();"),
            Mutant.of(
                    "the end of a lease that could not be undone wakes nobody",
                    Judge.TEST,
                    "UndoTests.waiterIsWokenAtEndOfLeaseThatCouldNotBeUndone",
                    "UndoCase.java",
                    "        if (!settled) {",
                    "        if (false) {"),
            Mutant.of(
                    "an undo that finds the lock of another wakes a waiter",
                    Judge.TEST,
                    "UndoTests.undoThatFindsLockOfAnotherWakesNobody",
                    "UndoCase.java",
                    "if (mayHaveFreed && ConditionFailures.showsFreeLock(response)) {",
                    "if (mayHaveFreed) {"),
            Mutant.of(
                    "each release after one without a response wakes a waiter",
                    Judge.TEST,
                    "ReleaseTests.deniedReleaseWakesNobodyEvenIfAnEarlierOneGotNoResponse",
                    "LeaseRelease.java",
                    "            if (budget.anyUnanswered()) {\n                handOff(write);",
                    "            if (unanswered || budget.anyUnanswered()) {\n                handOff(write);"),
            Mutant.of(
                            "a release that cannot read the clock blocks all others",
                            Judge.TEST,
                            "ReleaseTests.releaseThatCannotReadTheClockCanBeRepeated",
                            "LeaseRelease.java",
                            "        ClockReading now = context.clock.now(); // first: if it fails, nothing has begun\n",
                            "")
                    .and(
                            "LeaseRelease.java",
                            "            return performAndReport(own, now);\n",
                            "            return performAndReport(own, context.clock.now());\n"),
            Mutant.of(
                    "nested work under one lease is interrupted twice",
                    Judge.TEST,
                    "OnLostTests.nestedWorkUnderOneLeaseIsInterruptedOnce",
                    "LeasedThread.java",
                    "            interrupting.add(lost);\n            thread.interrupt();\n        }",
                    "            interrupting.add(lost);\n        }\n        thread.interrupt();"));

    private QueueMutants() {}
}
