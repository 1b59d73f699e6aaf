/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults that show only when several threads meet at one moment. */
final class MomentMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a closing manager does not wait for a release that its thread has requested",
                    Judge.TEST,
                    "ClosingWaitTests.releaseWithoutThreadOrOnAnotherIsAwaited",
                    "LeaseRegistry.java",
                    "releasing.add(new Releasing(lease, null));",
                    "releaseBegun(lease);"),
            Mutant.of(
                    "a closing manager does not wait for a release that another thread repeats",
                    Judge.TEST,
                    "ClosingWaitTests.releaseThatAnotherThreadRepeatsIsAwaited",
                    "LeaseRegistry.java",
                    "releasing.remove(Releasing.here(lease));",
                    "releasing.removeIf(release -> release.lease() == lease);"),
            Mutant.of(
                    "a closing manager does not wait for a release that another thread has joined by a detach",
                    Judge.TEST,
                    "ClosingWaitTests.releaseDuringDetachOfAnotherThreadIsAwaited",
                    "LeaseRegistry.java",
                    "        releasing.add(Releasing.here(lease));",
                    "        releasing.removeIf(release -> release.lease() == lease);\n"
                            + "        releasing.add(Releasing.here(lease));"),
            Mutant.of(
                    "a thread that closes the manager waits for its own acquisition",
                    Judge.TEST,
                    "ClosingWaitTests.acquisitionIsAwaitedByOtherThreadsOnly",
                    "BlockingAcquisition.java",
                    "return thread == Thread.currentThread();",
                    "return false;"),
            Mutant.of(
                    "a worker that closes the manager waits for the acquisition that it drives",
                    Judge.TEST,
                    "ClosingWaitTests.acquisitionIsAwaitedByOtherThreadsOnly",
                    "AsyncAcquisition.java",
                    "return thread == Thread.currentThread();",
                    "return false;"),
            Mutant.of(
                    "a closing manager does not wait for an asynchronous acquisition between its requests",
                    Judge.TEST,
                    "ClosingWaitTests.asynchronousAcquisitionBetweenTwoRequestsIsAwaited",
                    "AsyncAcquisition.java",
                    "return thread == Thread.currentThread();",
                    "return thread == null || thread == Thread.currentThread();"),
            Mutant.of(
                    "a thread that closes the manager waits for its own renewal",
                    Judge.TEST,
                    "ClosingWaitTests.renewalIsAwaitedByOtherThreadsOnly",
                    "Shutdown.java",
                    "lease.status().renewals.noneOnOtherThreads()",
                    "lease.status().renewals.isEmpty()"),
            Mutant.of(
                    "a closing manager does not wait for a renewal",
                    Judge.TEST,
                    "ClosingWaitTests.renewalIsAwaitedByOtherThreadsOnly",
                    "Shutdown.java",
                    "lease.status().renewals.noneOnOtherThreads()",
                    "true"),
            Mutant.of(
                    "a thread that closes the manager waits for its own undo",
                    Judge.TEST,
                    "ClosingWaitTests.undoIsAwaitedByOtherThreadsOnly",
                    "Undo.java",
                    "return List.copyOf(open).stream().allMatch(UndoCase::isOnThisThread);",
                    "return open.isEmpty();"),
            Mutant.of(
                    "a closing manager does not wait for an undo",
                    Judge.TEST,
                    "ClosingWaitTests.undoIsAwaitedByOtherThreadsOnly",
                    "Undo.java",
                    "return List.copyOf(open).stream().allMatch(UndoCase::isOnThisThread);",
                    "return true;"),
            Mutant.of(
                    "a renewal is moved beyond the end of a lease that was shortened meanwhile",
                    Judge.TEST,
                    "HeartbeatRestTests.leaseIsKeptThatIsShortenedWhileRenewalsAreRescheduled",
                    "Heartbeat.java",
                    "            renewInTime();\n",
                    ""),
            Mutant.of(
                    "a renewal that is moved loses the timer that another thread sets meanwhile",
                    Judge.TEST,
                    "HeartbeatRestTests.renewalThatIsPlannedWhileAnotherThreadMovesItIsKept",
                    "Heartbeat.java",
                    "        setRenewalTimer(nanos);\n        before.cancel();",
                    "        Scheduler.Scheduled timer = context.scheduler.schedule(nanos, () -> submitRenewal(nanos));\n"
                            + "        renewalTimer.cancel();\n        renewalTimer = timer;"),
            Mutant.of(
                    "a renewal that is moved to an earlier time is planned later than it is decided",
                    Judge.TEST,
                    "time.RenewalScheduleTests.earliestOfSeveralRenewalsIsPlanned",
                    "time/RenewalSchedule.java",
                    "            renewAt(nextDue, nowNanos, endNanos);\n",
                    ""),
            Mutant.of(
                    "the expiry of a lease that was shortened meanwhile is checked at its old end",
                    Judge.TEST,
                    "HeartbeatRestTests.lossIsReportedInTimeIfLeaseIsShortenedDuringCheckOfExpiry",
                    "Heartbeat.java",
                    "        checkExpiryAt(nanos);\n        checkExpiryInTime();",
                    "        checkExpiryAt(nanos);"),
            Mutant.of(
                            "a lease that is renewed during the check of its expiry is lost",
                            Judge.TEST,
                            "HeartbeatRestTests.renewalDuringPausedCheckOfExpiryIsNoLoss",
                            "Heartbeat.java",
                            "        if (status.isOver()) {\n            loss.onExpired();\n        } else",
                            "        if (status.isOver() || end - now <= 0) {\n            loss.onExpired();\n        } else")
                    .and(
                            "Heartbeat.java",
                            "        long now = context.clock.nanos(); // before the end, which a renewal may raise meanwhile\n"
                                    + "        long end = status.endNanos();",
                            "        long end = status.endNanos();\n        long now = context.clock.nanos();"),
            Mutant.of(
                    "a lease without a thread is lost although its holder renews it during the check of its expiry",
                    Judge.TEST,
                    "HeartbeatRestTests.renewalDuringCheckOfLeaseWithoutThreadIsNoLoss",
                    "Heartbeat.java",
                    " && expire(end)) {",
                    ") {"),
            Mutant.of(
                    "a renewal stays planned for just before the end of a lease that was shortened meanwhile",
                    Judge.TEST,
                    "HeartbeatRestTests.renewalThatIsPlannedForJustBeforeTheEndOfAShortenedLeaseIsMoved",
                    "time/RenewalSchedule.java",
                    "renewalNanos - nowNanos > latestNanos(remaining)",
                    "endNanos - renewalNanos < 0"),
            Mutant.of(
                    "a thread waits for itself as it closes several managers, of which it releases a lease of the second",
                    Judge.TEST,
                    "ClosingWaitTests.eachOfSeveralManagersIsClosedByTheThreadThatReleasesItsLease",
                    "DefaultLockManager.java",
                    "context.scheduler.hasThisThread() || registry.isAtWorkHere()",
                    "context.scheduler.hasThisThread()"),
            Mutant.of(
                    "a thread waits for itself as it closes several managers, of which it renews a lease of the second",
                    Judge.TEST,
                    "ClosingWaitTests.oneOfSeveralManagersIsClosedByTheThreadThatRenewsItsLease",
                    "LeaseRegistry.java",
                    "lease.status().renewals.anyOnThisThread()",
                    "false"),
            Mutant.of(
                    "a callback waits for itself as it closes several managers, of which the second has called it",
                    Judge.TEST,
                    "ClosingWaitTests.eachOfSeveralManagersIsClosedByItsCallbackWithoutInterrupt",
                    "DefaultLockManager.java",
                    "context.scheduler.hasThisThread() || registry.isAtWorkHere()",
                    "registry.isAtWorkHere()"),
            Mutant.of(
                    "a lease is lost before its end although its renewal was faster",
                    Judge.TEST,
                    "LeaseValidityTests.isLostBeforeItsEndUnlessRenewedOrReleased",
                    "LeaseValidity.java",
                    "return end.nanos() - endNanos <= 0 && lose();",
                    "return lose();"),
            Mutant.of(
                    "several locks acquired in vain stay taken if the manager closes without a grace period",
                    Judge.TEST,
                    "SeveralLocksTests.acquisitionThatOutlastsClosingManagerLeavesNothing",
                    "HeldLease.java",
                    "|| status.isLeftToExpire()",
                    "|| status.wasLostBy(Reason.CLOSED)"),
            Mutant.of(
                    "a lease whose work never began stays taken if it is ended in the background after the close",
                    Judge.TEST,
                    "ShutdownTests.leaseWhoseWorkNeverBeganIsReleasedAfterClose",
                    "AsyncClose.java",
                    "status.isLeftToExpire()",
                    "status.wasLostBy(LeaseLost.Reason.CLOSED)"),
            Mutant.of(
                    "a lease whose work never began stays taken if the manager stops while its close is submitted",
                    Judge.TEST,
                    "AsyncTests.unusedLeaseIsReleasedAlsoIfManagerStopsWhileItsCloseIsSubmitted",
                    "AsyncClose.java",
                    "    private synchronized boolean submit() {",
                    "    private boolean submit() {"),
            Mutant.of(
                    "a lease that is lost because of the store is reported as one without a thread",
                    Judge.TEST,
                    "HeartbeatTests.failureOfTheStoreIsTheReasonOfALossAlsoWithoutThread",
                    "Heartbeat.java",
                    "(status.isRenewalMissing() || reportIfOverdue(now))",
                    "(reportIfOverdue(now) || status.isRenewalMissing())"),
            Mutant.of(
                    "a lease that a closing manager has left to expire is released by its close",
                    Judge.TEST,
                    "ShutdownTests.closeLetsOpenLeaseExpireAndReportsIt",
                    "LeaseStatus.java",
                    "return wasLostBy(Reason.CLOSED) && !unused;",
                    "return false;"),
            Mutant.of(
                    "an interrupt while an asynchronous client prepares a request is forgotten",
                    Judge.TEST,
                    "dynamodb.AsyncClientTests.interruptBeforeRequestIsSentKeepsNoLockTaken",
                    "dynamodb/BlockingClient.java",
                    "failedOnThisThread && ",
                    "!failedOnThisThread && "),
            Mutant.of(
                    "each of several threads that detach a lease gets its token",
                    Judge.TEST,
                    "ResumeTests.onlyOneOfConcurrentDetachesReturnsToken",
                    "LeaseDetachment.java",
                    "!inProgress.compareAndSet(false, true)",
                    "status.isHandedOut()"),
            Mutant.of(
                    "a thread that closes a lease while another one detaches it fails",
                    Judge.TEST,
                    "ResumeTests.closeDuringDetachLeavesLeaseToItsToken",
                    "HeldLease.java",
                    "if (!status.isHandedOut()) {",
                    "if (rejected != null) {"),
            Mutant.of(
                    "a reentrant lease that is left to expire is never forgotten",
                    Judge.TEST,
                    "ReentrancyTests.leaseThatIsLeftToExpireIsForgotten",
                    "LeaseRegistry.java",
                    "        holds.ended(lease);\n",
                    "        if (!lease.status().hasEndedAsLost()) {\n            holds.ended(lease);\n        }\n"),
            Mutant.of(
                    "a reentrant lease that ends while it is acquired is never forgotten",
                    Judge.TEST,
                    "ReentrancyTests.leaseThatEndsBeforeItsHoldIsRegisteredIsForgotten",
                    "ReentrantHolds.java",
                    "        if (!lease.isHeld()) {",
                    "        if (false) {"),
            Mutant.of(
                    "the end of a lost lease ends the hold of its thread's next one",
                    Judge.TEST,
                    "ReentrancyTests.lostLeaseIsAcquiredAnew",
                    "ReentrantHolds.java",
                    "holds.remove(hold.key, hold);",
                    "holds.remove(hold.key);"),
            Mutant.of(
                    "a closed manager that does not lock answers operators",
                    Judge.TEST,
                    "UnlockedTests.closedManagerAnswersNothing",
                    "UnlockedLockManager.java",
                    "        if (closed) {",
                    "        if (false) {"),
            Mutant.of(
                    "a lease keeps the callbacks of a handle that was released before others",
                    Judge.TEST,
                    "ReentrancyTests.keepsNoCallbackOfHandleReleasedBeforeOthers",
                    "ReentrantLease.java",
                    "                registrations.forEach(Runnable::run);\n",
                    ""),
            Mutant.of(
                    "the lost holds of ended threads are remembered",
                    Judge.TEST,
                    "LeaseLockTests.lostHoldsOfEndedThreadsAreForgotten",
                    "LockHolds.java",
                    "            purge();\n",
                    ""),
            Mutant.of(
                    "the lost hold of a live thread is forgotten",
                    Judge.TEST,
                    "LeaseLockTests.lostHoldsOfEndedThreadsAreForgotten",
                    "LockHolds.java",
                    "!hold.getKey().thread.isAlive()",
                    "true"),
            Mutant.of(
                    "the hold of an ended thread is forgotten while its lease is held",
                    Judge.TEST,
                    "LeaseLockTests.lostHoldsOfEndedThreadsAreForgotten",
                    "LockHolds.java",
                    "hold.getValue().stream().noneMatch(Lease::isHeld)",
                    "true"));

    private MomentMutants() {}
}
