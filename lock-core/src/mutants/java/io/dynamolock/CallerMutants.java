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
                    "a loss that the release finds does not reach the caller",
                    Judge.TEST,
                    "LostWorkTests.lossFoundByReleaseCounts",
                    "LeaseRelease.java",
                    "            foundLoss = ",
                    "            var unused = "),
            Mutant.of(
                    "a takeover after the end of the work counts as a loss",
                    Judge.TEST,
                    "LostWorkTests.takeoverAfterWorkEndedIsNotLoss",
                    "LeaseRelease.java",
                    "} else if (!status.isPastItsEnd()) {",
                    "} else {"),
            Mutant.of(
                    "the exception of work under a lost lease is forgotten",
                    Judge.TEST,
                    "LostWorkTests.exceptionOfWorkIsSuppressed",
                    "LeaseLostException.java",
                    "            addSuppressed(thrown);\n",
                    ""),
            Mutant.of(
                    "a loss hides an interrupt by others",
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
                    "status.isLost() ? removeLost() : send()",
                    "send()"),
            Mutant.of(
                    "a lost lease is reported as released",
                    Judge.TEST,
                    "LostReleaseTests.lostLeaseIsNotReportedAsReleased",
                    "LeaseRelease.java",
                    "            if (!status.isLost()) {",
                    "            if (outcome != null) {"),
            Mutant.of(
                    "an expiry that only the release finds is not reported",
                    Judge.TEST,
                    "LostReleaseTests.undetectedExpiryIsReportedAsLoss",
                    "LeaseRelease.java",
                    "        loss.loseExpired();\n        return ReleaseOutcome.LOST;",
                    "        return ReleaseOutcome.LOST;"),
            Mutant.of(
                    "a manager that drains acquires",
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
                            "begun = hooks.refusal() == null;",
                            "begun = true;")
                    .and("Acquisition.java", "() -> abandoned || isRefused()", "() -> abandoned"),
            Mutant.of(
                    "a manager that drains lets its waiters wait",
                    Judge.TEST,
                    "DrainingTests.waitersEndImmediately",
                    "DefaultLockManager.java",
                    "        registry.wakeAcquisitions();\n",
                    ""),
            Mutant.of(
                    "a wait for a turn goes on while the manager drains",
                    Judge.TEST,
                    "DrainingTests.waitForPermitEnds",
                    "DefaultLockManager.java",
                    "        context.requestLimit.refuseWaiting();\n",
                    ""),
            Mutant.of(
                    "work that has failed is recorded as done",
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
                    "now.latestStoreTime(), null, new LastHold(write.owner(), now.middle(), false));"),
            Mutant.of(
                    "DynamoDB forgets the last holder when the next one comes",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.lastHoldIsKeptUntilNextRelease",
                    "dynamodb/LockExpressions.java",
                    "\" REMOVE #revoked, #detached, #metadata\";",
                    "\" REMOVE #revoked, #detached, #metadata, #lastEndedAt\";"),
            Mutant.of(
                    "locks of one request are acquired in its order",
                    Judge.TEST,
                    "SeveralLocksTests.acquiresEachWithOneRequestInOneOrder",
                    "RequestValues.java",
                    ".distinct().sorted()",
                    ".distinct()"),
            Mutant.of(
                    "locks that were acquired in vain are kept",
                    Judge.TEST,
                    "SeveralLocksTests.acquiresNoneIfOneIsBusy",
                    "GroupAcquisition.java",
                    "            LeaseGroup.closeUnused(acquired, failure);\n",
                    ""),
            Mutant.of(
                    "a lock that was acquired in vain keeps its minimum hold",
                    Judge.TEST,
                    "SeveralLocksTests.locksAcquiredInVainIgnoreMinHoldAndLeaveNoTrace",
                    "LeaseRelease.java",
                    "status.isUnused() ? grant.releaseUnused(now) : ",
                    ""),
            Mutant.of(
                    "each of several locks has the whole wait time",
                    Judge.TEST,
                    "SeveralLocksTests.oneWaitTimeIsForAll",
                    "GroupAcquisition.java",
                    ".waitTime(Duration.ofNanos(remaining));",
                    ";"),
            Mutant.of(
                    "several locks are held as long as one is",
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
                    ""));

    private CallerMutants() {}
}
