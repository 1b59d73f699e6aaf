/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in the election of a leader, in permits and several locks, and in the support for tests. */
final class ElectionMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a leader reports itself as leader after its lease",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.revocationReportsNoLeaderWhileItRuns",
                    "coordination/LeaderElection.java",
                    "current.term == term && current.lease.isHeld()",
                    "current.term == term"),
            Mutant.of(
                    "the start of an election waits for its callbacks",
                    Judge.TEST,
                    "coordination.CampaignTests.startDoesNotWaitForCallbacks",
                    "coordination/Retries.java",
                    "            threads.execute(action);\n        } catch",
                    "            action.run();\n        } catch"),
            Mutant.of(
                    "a stop revokes the leadership that has begun after it",
                    Judge.TEST,
                    "coordination.CampaignTests.startDuringAStopBeginsALeadershipOfItsOwn",
                    "coordination/LeaderElection.java",
                    "former != null && former.term != term",
                    "former != null"),
            Mutant.of(
                    "a candidate is elected after it was stopped",
                    Judge.TEST,
                    "coordination.CampaignTests.stoppedCandidateIsNotElected",
                    "coordination/LeaderElection.java",
                    "won.term != term || !won.lease.isHeld()",
                    "!won.lease.isHeld()"),
            Mutant.of(
                    "a process is told that it is elected by a lease that is lost",
                    Judge.TEST,
                    "coordination.CampaignTests.leaseThatIsLostBeforeItsElectionIsNotAnnounced",
                    "coordination/LeaderElection.java",
                    "won.term != term || !won.lease.isHeld()",
                    "won.term != term"),
            Mutant.of(
                    "a late grant of an earlier term hides the leadership",
                    Judge.TEST,
                    "coordination.CampaignTests.lateGrantOfAnEarlierTermIsNoLeadership",
                    "coordination/LeaderElection.java",
                    "leading = begun == term ? won : leading;",
                    "leading = won;"),
            Mutant.of(
                    "an election whose task got no thread ends for ever",
                    Judge.TEST,
                    "coordination.CampaignTests.taskWithoutThreadRunsWithTheNext",
                    "coordination/SerialTasks.java",
                    "            busy = false;\n",
                    ""),
            Mutant.of(
                    "a leader whose callbacks got no thread keeps its lock after the stop",
                    Judge.TEST,
                    "coordination.CampaignTests.stopReleasesTheLockOfALeaderThatGotNoThread",
                    "coordination/SerialTasks.java",
                    "return !busy && waiting.isEmpty();",
                    "return !busy;"),
            Mutant.of(
                    "whoever has awaited a task finds it running",
                    Judge.TEST,
                    "coordination.CampaignTests.startAfterAStopLeadsAtOnce",
                    "coordination/SerialTasks.java",
                    "            task = next(); // first: whoever has awaited the last task finds none running\n            last.end(failure);\n",
                    "            last.end(failure);\n            java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);\n            task = next();\n"),
            Mutant.of(
                    "a stop waits for callbacks for as long as they run",
                    Judge.TEST,
                    "coordination.CampaignTests.stopDoesNotWaitForEverForARevocation",
                    "coordination/SerialTasks.java",
                    "            threads.execute(this::runAll);\n",
                    "            runAll();\n"),
            Mutant.of(
                    "a callback of the application delays the end of a leadership",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.callbackOfTheLeaseDoesNotDelayTheNextElection",
                    "coordination/LeaderElection.java",
                    """
                            won.lease.onLost(loss -> {
                                var unused = tasks.run(() -> lost(won)); // before callbacks of the application, which may not return
                            });
                            boolean accepted = callbacks.elected(won.lease);
                    """,
                    """
                            boolean accepted = callbacks.elected(won.lease);
                            won.lease.onLost(loss -> {
                                var unused = tasks.run(() -> lost(won));
                            });
                    """),
            Mutant.of(
                    "an interrupted thread does not wait for the release of the leader",
                    Judge.TEST,
                    "coordination.CampaignTests.interruptBeforeAStopDoesNotEndItsWait",
                    "coordination/FutureAwaiter.java",
                    "boolean interrupted = Thread.interrupted();",
                    "boolean interrupted = false;"),
            Mutant.of(
                    "a candidate starts on a closed manager that is wrapped",
                    Judge.TEST,
                    "coordination.CampaignTests.startOnClosedManagerFails",
                    "coordination/Attempts.java",
                    "failure instanceof CompletionException && cause != null ? cause : failure",
                    "failure"),
            Mutant.of(
                    "an election that was stopped and started leads by its earlier term",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.startedAgainItDoesNotLeadByEarlierTerm",
                    "coordination/LeaderElection.java",
                    "current.term == term && current.lease.isHeld()",
                    "isStarted() && current.lease.isHeld()"),
            Mutant.of(
                    "a process leads although its election callback failed",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.failingElectionCallbackEndsLeadershipForAWhile",
                    "coordination/LeaderElection.java",
                    "!accepted || Attempts.isReleased(won.lease)",
                    "Attempts.isReleased(won.lease)"),
            Mutant.of(
                    "a leader that has released its lease is no candidate again",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.leaseReleasedByCallbackEndsLeadership",
                    "coordination/LeaderElection.java",
                    "!accepted || Attempts.isReleased(won.lease)",
                    "!accepted"),
            Mutant.of(
                            "elected before the revocation callback has returned",
                            Judge.TEST,
                            "coordination.LeaderElectionTests.nextElectionWaitsForRevocationToReturn",
                            "coordination/SerialTasks.java",
                            "if (!busy) {",
                            "if (!busy || !waiting.isEmpty()) {")
                    .and("coordination/SerialTasks.java", "return running == null ? next() : null;", "return next();")
                    .and(
                            "coordination/LeaderElection.java",
                            "    private void lost(Leadership former) {\n",
                            "    private void lost(Leadership former) {\n        campaign(former.term);\n"),
            Mutant.of(
                    "a stopped leader releases before its revocation",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.revocationComesBeforeReleaseAndEndsLeadershipFirst",
                    "coordination/LeaderElection.java",
                    "        callbacks.revoked();\n        Attempts.releaseQuietly(current.lease);\n",
                    "        Attempts.releaseQuietly(current.lease);\n        callbacks.revoked();\n"),
            Mutant.of(
                    "a stop that does not wait leaves the lock to expire",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.stopWithoutAWaitEndsLeadershipAtOnce",
                    "coordination/LeaderElection.java",
                    "return end().minimalCompletionStage();",
                    "term++;\n        return CompletableFuture.completedStage(null);"),
            Mutant.of(
                    "each stop of an election waits as long as the first",
                    Judge.TEST,
                    "coordination.CampaignTests.eachStartIsAwaitedForTenSecondsByAllOfItsStops",
                    "coordination/LeaderElection.java",
                    "tasks.await(end(), stopWait::remaining)",
                    "tasks.await(end(), () -> STOP_WAIT)"),
            Mutant.of(
                    "the wait of an election's stop is that of an earlier one",
                    Judge.TEST,
                    "coordination.CampaignTests.eachStartIsAwaitedForTenSecondsByAllOfItsStops",
                    "coordination/LeaderElection.java",
                    "                stopWait.renew();\n",
                    ""),
            Mutant.of(
                    "a stop that does not wait uses up the wait of a later one",
                    Judge.TEST,
                    "coordination.CampaignTests.waitBeginsWithTheFirstCallThatWaits",
                    "coordination/LeaderElection.java",
                    "stopWait.renew();",
                    "stopWait.renew();\n                stopWait.remaining();"),
            Mutant.of(
                    "a stop needs its manager",
                    Judge.TEST,
                    "coordination.CampaignTests.stopReleasesTheLockWithoutTheManager",
                    "coordination/LeaderElection.java",
                    "new SharedWait(LockDiagnostics.clockOf(locks), STOP_WAIT)",
                    "new SharedWait(() -> LockDiagnostics.clockOf(locks).getAsLong(), STOP_WAIT)"),
            Mutant.of(
                    "a second stop does not await the first one",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.stopWithoutAWaitEndsLeadershipAtOnce",
                    "coordination/LeaderElection.java",
                    "return announced == null && tasks.isIdle()",
                    "return open == null || (announced == null && tasks.isIdle())"),
            Mutant.of(
                    "a candidate stops campaigning after a store failure",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.candidateTriesAgainAfterStoreFailuresWithGrowingDelays",
                    "coordination/LeaderElection.java",
                    "        retries.later(() -> campaign(begun));\n",
                    ""),
            Mutant.of(
                    "a retry that overlaps a restart of its election replaces the later attempt",
                    Judge.TEST,
                    "coordination.CampaignTests.retryThatOverlapsStopAndStartLeavesItsSuccessorToBeCancelled",
                    "coordination/LeaderElection.java",
                    "campaign = begun == term ? attempt : campaign;",
                    "campaign = attempt;"),
            Mutant.of(
                    "a candidate that is granted nothing asks again at once",
                    Judge.TEST,
                    "coordination.CampaignTests.managerThatGrantsNothingIsAskedAgainLater",
                    "coordination/LeaderElection.java",
                    "campaignLater(begun); // a manager",
                    "campaign(begun); // a manager"),
            Mutant.of(
                    "a candidate's retry waits for a thread of the common pool",
                    Judge.TEST,
                    "coordination.RetriesTests.startWhileTheCommonPoolIsBlocked",
                    "coordination/Retries.java",
                    "Executor threads = Retries::startThread;",
                    "Executor threads = java.util.concurrent.ForkJoinPool.commonPool();"),
            Mutant.of(
                    "a retry without a thread is forgotten",
                    Judge.TEST,
                    "coordination.RetriesTests.startOnceThereIsAThread",
                    "coordination/Retries.java",
                    "                timer(threads).schedule(SHORTEST, task);\n",
                    ""),
            Mutant.of(
                    "the interrupt of an election's callback reaches the next one",
                    Judge.TEST,
                    "coordination.LeaderElectionTests.interruptOfCallbackDoesNotReachTheNextOne",
                    "coordination/ElectionCallbacks.java",
                    "var unused = Thread.interrupted(); //",
                    "var unused = Thread.currentThread().isInterrupted(); //"),
            Mutant.of(
                    "each thread reads a circuit switch that another one is reading",
                    Judge.TEST,
                    "coordination.CircuitSwitchTests.threadsThatAskAtOnceShareOneRead",
                    "coordination/CircuitSwitch.java",
                    "if (current.reader == own.reader) {",
                    "if (current.reader == own.reader || known == null) {"),
            Mutant.of(
                    "a thread waits for a read of a circuit switch that does not end",
                    Judge.TEST,
                    "coordination.CircuitSwitchTests.readThatHangsIsReplacedWithinSecond",
                    "coordination/CircuitSwitch.java",
                    "LONGEST_SHARED = Duration.ofSeconds(1)",
                    "LONGEST_SHARED = Duration.ofHours(1)"),
            Mutant.of(
                    "a thread waits for ever for the failed read of a circuit switch",
                    Judge.TEST,
                    "coordination.CircuitSwitchTests.threadsThatShareReadShareItsFailure",
                    "coordination/CircuitSwitch.java",
                    "            own.response.completeExceptionally(failure);\n",
                    ""),
            Mutant.of(
                    "a failed read of a circuit switch counts for a second",
                    Judge.TEST,
                    "coordination.CircuitSwitchTests.threadsThatShareReadShareItsFailure",
                    "coordination/CircuitSwitch.java",
                    "            underWay.compareAndSet(own, null);\n",
                    "            underWay.compareAndSet(null, own);\n"),
            Mutant.of(
                    "a thread that waits for a slow circuit switch goes on to the next read",
                    Judge.TEST,
                    "coordination.CircuitSwitchTests.threadThatWaitsReturnsWithTheFirstResponse",
                    "coordination/CircuitSwitch.java",
                    "response.applyToEither(current.response, Function.identity())",
                    "current.response.thenApply(Function.identity())"),
            Mutant.of(
                            "a listener that asks the circuit switch that its thread reads waits for itself",
                            Judge.TEST,
                            "coordination.CircuitSwitchTests.listenerOfItsReadCanAsk",
                            "coordination/CircuitSwitch.java",
                            "if (current.reader == own.reader) {",
                            "if (current.equals(own)) {")
                    .and(
                            "coordination/CircuitSwitch.java",
                            "LONGEST_SHARED = Duration.ofSeconds(1)",
                            "LONGEST_SHARED = Duration.ofHours(1)"),
            Mutant.of(
                    "each process has an election of its own",
                    Judge.SIMULATION,
                    "invariant 1",
                    "coordination/LeaderElection.java",
                    ".reentrant(false).waitTime(CAMPAIGN);",
                    ".name(request.name() + locks.hashCode()).reentrant(false).waitTime(CAMPAIGN);"),
            Mutant.of(
                    "an exception thrown by a manager leaves the permits of a waiter acquired",
                    Judge.TEST,
                    "coordination.DistributedSemaphoreTests.exceptionThrownByAManagerLeavesNoPermitAcquired",
                    "coordination/PermitWait.java",
                    "Attempts.start(locks, request.apply(permit))",
                    "locks.tryAcquireAsync(request.apply(permit))"),
            Mutant.of(
                    "a rival leaves the claims of those that wait",
                    Judge.TEST,
                    "test.TestSupportTests.lockIsStolenAtOnceAlsoFromThoseThatWait",
                    "test/Rival.java",
                    "manager.forceFree(name); // also from the claim of a process that waits",
                    "manager.forceRelease(name, manager.inspect(name).leaseId() + \"\");"),
            Mutant.of(
                    "a rival does not wait for a reserved lock",
                    Judge.TEST,
                    "test.TestSupportTests.lockThatIsReservedIsStolenSoon",
                    "test/Rival.java",
                    "manager.tryAcquire(name, ATTEMPT)",
                    "manager.tryAcquire(name, Duration.ZERO)"),
            Mutant.of(
                    "a rival steals no lock whose row changes meanwhile",
                    Judge.TEST,
                    "test.TestSupportTests.lockIsStolenAlsoIfItsRowChangesMeanwhile",
                    "test/Rival.java",
                    "if (!failure.isAnswered() || !failure.isRetryable()) {",
                    "if (failure.isRetryable()) {"),
            Mutant.of(
                    "a rival repeats what a failing store rejects",
                    Judge.TEST,
                    "test.TestSupportTests.failureOfStoreEndsStealingAtOnce",
                    "test/Rival.java",
                    "if (!failure.isAnswered() || !failure.isRetryable()) {",
                    "if (!failure.isRetryable()) {"),
            Mutant.of(
                    "the crash of a rival ends with a lock that is gone",
                    Judge.TEST,
                    "test.TestSupportTests.crashEndsAllLocksAlsoIfOneIsGone",
                    "test/Rival.java",
                    "catch (LeaseLostException | LockStoreException endedOtherwise) {",
                    "catch (LockStoreException endedOtherwise) {"),
            Mutant.of(
                    "a rival releases nothing, silently",
                    Judge.TEST,
                    "test.TestSupportTests.rivalCannotReleaseLockThatItDoesNotHold",
                    "test/Rival.java",
                    "if (!released(name)) {",
                    "if (!released(name) && name.isEmpty()) {"),
            Mutant.of(
                    "a row that changes meanwhile stays in memory",
                    Judge.TEST,
                    "test.TestSupportTests.storeForgetsRowThatChangesMeanwhile",
                    "memory/InMemoryLockStore.java",
                    "                row = rows.get(name); // changed meanwhile",
                    "                row = null;"),
            Mutant.of(
                    "a test clock passes over work that begins by itself",
                    Judge.TEST,
                    "time.TestClockSchedulerTests.workOfAlarmThatRingsByItselfIsDoneInTime",
                    "time/TestClock.java",
                    "rung() != rungBefore",
                    "rung() < rungBefore"),
            Mutant.of(
                    "a test clock waits for ever for work that hangs",
                    Judge.TEST,
                    "time.TestClockSchedulerTests.workThatHangsIsAwaitedOncePerAlarm",
                    "time/TestClock.java",
                    " && !isStuck()",
                    ""),
            Mutant.of(
                    "a multi-lock accepts a request that its manager always rejects",
                    Judge.TEST,
                    "coordination.RequestsTests.nameThatIsTooLongIsRejected",
                    "coordination/MultiLock.java",
                    "Requests.forOne(locks, request).name()",
                    "request.name()"));

    private ElectionMutants() {}
}
