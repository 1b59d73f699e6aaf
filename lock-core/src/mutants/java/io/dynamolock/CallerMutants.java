/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in what reaches the caller of a manager. */
final class CallerMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a loss does not reach the caller of the work",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeasedWork.java",
                    "lease.policy() == OnLost.EVENT ? null",
                    "lease.policy() != OnLost.EVENT ? null"),
            Mutant.of(
                    "a loss found by the release is not reported",
                    Judge.TEST,
                    "LostWorkTests.lossFoundByReleaseIsReported",
                    "LeaseRelease.java",
                    "                loss.notifyLoss(foundLoss, () -> context.listener.onReleased(lease, outcome, took));\n",
                    "                context.listener.onReleased(lease, outcome, took);\n"),
            Mutant.of(
                    "a loss found by the release is reported after it",
                    Judge.TEST,
                    "ReleaseListenerTests.lossFoundByReleaseIsReportedBeforeIt",
                    "LeaseLossHandler.java",
                    "            context.listener.onLost(lease, loss);\n            next.run();",
                    "            next.run();\n            context.listener.onLost(lease, loss);"),
            Mutant.of(
                    "a second copy of one's own release counts as a loss",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "(only || isTraceOf(write, row))",
                    "(only || row.laterFormat())"),
            Mutant.of(
                    "a loss found by the release does not reach the caller",
                    Judge.TEST,
                    "LostWorkTests.lossFoundByReleaseCounts",
                    "LeaseRelease.java",
                    "            foundLoss = ",
                    "            var unused = "),
            Mutant.of(
                    "a takeover after the work has ended counts as a loss",
                    Judge.TEST,
                    "LostWorkTests.takeoverAfterWorkEndedIsNotLoss",
                    "LeaseRelease.java",
                    "if (outcome != ReleaseOutcome.RELEASED && !status.isPastItsEnd() && !status.isUnused()) {",
                    "if (outcome != ReleaseOutcome.RELEASED) {"),
            Mutant.of(
                    "the exception of work under a lost lease is dropped",
                    Judge.TEST,
                    "LostWorkTests.exceptionOfWorkIsSuppressed",
                    "LeaseLostException.java",
                    "            addSuppressed(thrown);\n",
                    ""),
            Mutant.of(
                    "a loss clears an interrupt by another thread",
                    Judge.TEST,
                    "LostWorkTests.foreignInterruptIsKept",
                    "LeasedWork.java",
                    "                Thread.currentThread().interrupt();\n",
                    ""),
            Mutant.of(
                    "a lost lease is released like any other",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseRelease.java",
                    "status.hasEndedAsLost() ? removeLost() : releaseHeld(now)",
                    "releaseHeld(now)"),
            Mutant.of(
                    "a lost lease is reported as released",
                    Judge.TEST,
                    "LostReleaseTests.lostLeaseIsNotReportedAsReleased",
                    "LeaseRelease.java",
                    "            } else if (!status.hasEndedAsLost()) {",
                    "            } else if (outcome != null) {"),
            Mutant.of(
                    "the release of an unreachable lease waits for the store",
                    Judge.TEST,
                    "LostReleaseTests.callerDoesNotWaitForStoreThatWasUnreachable",
                    "LeaseRelease.java",
                    "context.inBackground(Rank.RELEASE, this::sendLost);",
                    "sendLost();"),
            Mutant.of(
                    "an expiry found by the release is not reported",
                    Judge.TEST,
                    "LostReleaseTests.undetectedExpiryIsReportedAsLoss",
                    "LeaseRelease.java",
                    "        loss.loseExpired();\n        return ReleaseOutcome.LOST;",
                    "        return ReleaseOutcome.LOST;"),
            Mutant.of(
                    "a draining manager acquires locks",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseRegistry.java",
                    "return draining ? new LockManagerDrainingException() : null;",
                    "return null;"),
            Mutant.of(
                            "a lease begins while its manager starts to drain",
                            Judge.TEST,
                            "DrainingTests.lockOfRequestInFlightIsReleased",
                            "HeldLease.java",
                            "begun = hooks.rejection() == null;",
                            "begun = true;")
                    .and("Acquisition.java", "() -> abandoned || isRejected()", "() -> abandoned"),
            Mutant.of(
                    "a draining manager does not end waits",
                    Judge.TEST,
                    "DrainingTests.waitersEndImmediately",
                    "DefaultLockManager.java",
                    "        registry.wakeAcquisitions();\n",
                    ""),
            Mutant.of(
                    "a wait for a request slot outlasts the draining of the manager",
                    Judge.TEST,
                    "DrainingTests.waitForPermitEnds",
                    "DefaultLockManager.java",
                    "        context.requestLimit.rejectWaiting();\n",
                    ""),
            Mutant.of(
                    "failed work is recorded as successful",
                    Judge.TEST,
                    "LastHoldTests.failedWorkIsRecorded",
                    "LeasedWork.java",
                    "            lease.markFailed();\n",
                    ""),
            Mutant.of(
                    "an undo counts as a hold",
                    Judge.TEST,
                    "LastHoldTests.undoneAcquisitionIsNoHold",
                    "UndoPlan.java",
                    "now.latestStoreTime(), null);",
                    "now.latestStoreTime(), null, new LastHold(write.owner(), now.middle(), null, false));"),
            Mutant.of(
                    "DynamoDB drops the last holder at the next acquisition",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.lastHoldIsKeptUntilNextRelease",
                    "dynamodb/LockExpressions.java",
                    "\" REMOVE #revoked, #detached, #claim, #metadata\";",
                    "\" REMOVE #revoked, #detached, #claim, #metadata, #lastEndedAt\";"),
            Mutant.of(
                    "locks of one request are acquired in its order",
                    Judge.TEST,
                    "SeveralLocksTests.acquiresEachWithOneRequestInOneOrder",
                    "RequestValues.java",
                    ".distinct().sorted()",
                    ".distinct()"),
            Mutant.of(
                    "an incomplete acquisition of several locks keeps them",
                    Judge.TEST,
                    "SeveralLocksTests.acquiresNoneIfOneIsBusy",
                    "GroupAcquisition.java",
                    "            LeaseGroup.closeUnused(acquired, failure);\n",
                    ""),
            Mutant.of(
                    "an incomplete acquisition of several locks keeps the minimum hold",
                    Judge.TEST,
                    "SeveralLocksTests.unusedLocksIgnoreMinHoldAndLeaveNoTrace",
                    "LeaseRelease.java",
                    "status.isUnused()\n                ? grant.releaseUnused(now)\n                : grant.release(",
                    "grant.release("),
            Mutant.of(
                    "each of several locks has the full wait time",
                    Judge.TEST,
                    "SeveralLocksTests.oneWaitTimeIsForAll",
                    "GroupAcquisition.java",
                    ".waitTime(Duration.ofNanos(remaining));",
                    ";"),
            Mutant.of(
                    "several locks count as held while any is",
                    Judge.TEST,
                    "SeveralLocksTests.isHeldWhileAllAreAndLostWithFirst",
                    "LeaseGroup.java",
                    "leases.stream().allMatch(Lease::isHeld)",
                    "leases.stream().anyMatch(Lease::isHeld)"),
            Mutant.of(
                    "an exhausted pool of an asynchronous client leaves the outcome unknown",
                    Judge.TEST,
                    "dynamodb.AsyncClientTests.exhaustedConnectionPoolNamesTheRemedy",
                    "dynamodb/Diagnosis.java",
                    ", \"Acquire operation took longer\"",
                    ""),
            Mutant.of(
                    "an incomplete asynchronous acquisition of several locks keeps the minimum hold",
                    Judge.TEST,
                    "SeveralLocksTests.locksAcquiredInVainAsynchronouslyIgnoreMinHold",
                    "LeasedWork.java",
                    "                held.markUnused();\n",
                    ""),
            Mutant.of(
                    "a lease whose work never began leaves a trace in the row",
                    Judge.TEST,
                    "LastHoldTests.leaseWhoseWorkNeverBeganLeavesNoTrace",
                    "LeasedWork.java",
                    "                held.markUnused();\n",
                    ""),
            Mutant.of(
                    "callers that come during an attempt send requests, too",
                    Judge.TEST,
                    "CallerThreadTests.callersQueueWhileAnotherAttempts",
                    "LocalWaitQueues.java",
                    "if (queues.containsKey(name) || firstAttempts.containsKey(name)) {",
                    "if (queues.containsKey(name)) {"),
            Mutant.of(
                    "a release during an attempt wakes nobody",
                    Judge.TEST,
                    "LocalWaitQueuesTests.releaseDuringRejectedAttemptIsHandedOver",
                    "LocalWaitQueues.java",
                    "waiter.handedOff = released ||",
                    "waiter.handedOff ="),
            Mutant.of(
                    "a rejected attempt queues behind those that came later",
                    Judge.TEST,
                    "LocalWaitQueuesTests.rejectedAttemptQueuesBeforeThoseThatCameMeanwhile",
                    "LocalWaitQueues.java",
                    "queue.waiters.addFirst(waiter);",
                    "queue.waiters.add(waiter);"),
            Mutant.of(
                    "in an outage callers fail one after the other",
                    Judge.TEST,
                    "StuckCallersTests.callersOfOneNameFailTogether",
                    "Acquisition.java",
                    "            wait.failed(thrown);\n",
                    ""),
            Mutant.of(
                    "the timeout of a request clears an interrupt of its caller",
                    Judge.TEST,
                    "dynamodb.OneAttemptTests.interruptOfRequestThatTimesOutIsNotLost",
                    "time/RequestTimer.java",
                    "if (caller.isInterrupted()) {",
                    "if (!caller.isAlive()) {"),
            Mutant.of(
                    "an interrupt is lost if the response arrives despite a timeout",
                    Judge.TEST,
                    "time.RequestTimerTests.interruptOfRequestThatIsAnsweredDespiteItsTimeoutIsNotLost",
                    "time/RequestTimer.java",
                    "if (INTERRUPTED.remove(caller)) {",
                    "if (INTERRUPTED.remove(caller) && !caller.isAlive()) {"),
            Mutant.of(
                    "a retry policy with a negative delay extends the timeout of a call",
                    Judge.TEST,
                    "RetryPolicyTests.negativeDelayDoesNotExtendTheTimeoutOfTheCall",
                    "RetryBudget.java",
                    "Durations.max(delay, Duration.ZERO)",
                    "Durations.max(delay, Duration.ofDays(-9))"),
            Mutant.of(
                    "a timeout whose abort blocks delays all other timeouts",
                    Judge.TEST,
                    "time.RequestTimerTests.timeoutThatBlocksDelaysNoOther",
                    "time/RequestTimer.java",
                    "setCorePoolSize(aborting + 1);",
                    "setCorePoolSize(1);"),
            Mutant.of(
                    "a hanging attempt slows all callers of its name",
                    Judge.TEST,
                    "StuckCallersTests.hangingAttemptSlowsNoOtherCaller",
                    "LocalWaitQueues.java",
                    "firstAttempts.remove(name); // its",
                    "// its"),
            Mutant.of(
                    "a waiter reports the holder that released the lock in its JVM",
                    Judge.TEST,
                    "LocalWaitQueuesTests.releaseInThisJvmEndsKnowledgeOfTheHolder",
                    "QueueHistory.java",
                    "        lastHeld = null;\n        heldNanos = null;\n",
                    ""),
            Mutant.of(
                    "a failed attempt leaves those that came meanwhile to their polls",
                    Judge.TEST,
                    "LocalWaitQueuesTests.failedAttemptHandsOverToThoseThatCameMeanwhile",
                    "LocalWaitQueues.java",
                    "if (firstAttempts.remove(name, this) && !acquired) {",
                    "if (firstAttempts.remove(name, this) && name.isEmpty()) {"));

    private CallerMutants() {}
}
