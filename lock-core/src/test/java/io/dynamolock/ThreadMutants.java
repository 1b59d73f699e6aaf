/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in what runs when, and in what ends it. */
final class ThreadMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                            "a throwing renewal ends the schedule",
                            Judge.TEST,
                            "HeartbeatTests.noFailureEndsTheSchedule",
                            "LeaseRenewal.java",
                            "} catch (Throwable failure) {\n            failed(failure, Duration.ofNanos",
                            "} catch (LockStoreException failure) {\n            failed(failure, Duration.ofNanos")
                    .and(
                            "StoreGate.java",
                            "} catch (Throwable untyped) {",
                            "} catch (java.io.UncheckedIOException untyped) {"),
            Mutant.of(
                    "one thread for all renewals",
                    Judge.TEST,
                    "ThreadTasksTests.runsAsManyBeatsAtOnceAsAllowed",
                    "ThreadTasks.java",
                    "heartbeatThreads,\n                new PriorityBlockingQueue",
                    "1,\n                new PriorityBlockingQueue"),
            Mutant.of(
                    "retries of beats take all threads",
                    Judge.TEST,
                    "ThreadTasksTests.retriesNeverTakeMoreThanHalfOfTheThreads",
                    "BeatLine.java",
                    "SHARE = 2;",
                    "SHARE = 1;"),
            Mutant.of(
                    "retries of beats take their share from first tries",
                    Judge.TEST,
                    "ThreadTasksTests.retriesTakeAnEighthWhileAFirstTryWaits",
                    "BeatLine.java",
                    "SHARE_WHILE_OTHERS_WAIT = 8;",
                    "SHARE_WHILE_OTHERS_WAIT = 2;"),
            Mutant.of(
                    "a retry of a beat counts as a first try",
                    Judge.TEST,
                    "HeartbeatTests.onlyRetriesWaitBehindRetries",
                    "Heartbeat.java",
                    "            if (failures == 0) {\n                engine.tasks.beat(",
                    "            if (failures >= 0) {\n                engine.tasks.beat("),
            Mutant.of(
                    "an interrupted thread does not release",
                    Judge.TEST,
                    "ReleaseTests.worksOnAnInterruptedThreadAndKeepsItsFlag",
                    "StoreGate.java",
                    "boolean interrupted = Thread.interrupted();\n        try {\n            while",
                    "boolean interrupted = false;\n        try {\n            while"),
            Mutant.of(
                    "released while the work still runs",
                    Judge.TEST,
                    "ShutdownTests.neverReleasesUnderWorkThatGoesOn",
                    "Shutdown.java",
                    "            open.lose(LeaseLost.Reason.CLOSED, null);\n",
                    "            open.lose(LeaseLost.Reason.CLOSED, null);\n            open.release();\n"),
            Mutant.of(
                            "released because the thread that acquired it has ended",
                            Judge.TEST,
                            "ShutdownTests.neverReleasesBecauseTheAcquiringThreadHasEnded",
                            "Shutdown.java",
                            "        awaitHolders();\n",
                            "        List.copyOf(engine.held).stream().filter(HeldLease::isAbandoned).forEach(HeldLease::release);\n        awaitHolders();\n")
                    .and(
                            "HeldLease.java",
                            "    boolean isOver() {",
                            "    boolean isAbandoned() {\n        return leakAlarm.holder != null && !leakAlarm.holder.isAlive();\n    }\n\n    boolean isOver() {")
                    .and(
                            "LeakAlarm.java",
                            "    private final @Nullable Thread holder;",
                            "    final @Nullable Thread holder;"),
            Mutant.of(
                    "a thread is interrupted after its work",
                    Judge.SIMULATION,
                    "invariant 5",
                    "Workers.java",
                    "            begun.remove(thread);\n",
                    ""),
            Mutant.of(
                    "the end of the inner work takes the outer's interrupt back",
                    Judge.TEST,
                    "OnLostTests.theInnerWorksEndLeavesTheOutersInterrupt",
                    "WorkingThread.java",
                    "if (!interrupting.isEmpty() || (pending",
                    "if ((pending"),
            Mutant.of(
                    "interrupted while only at risk",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseRenewal.java",
                    "        if (!lease.isGivenBack()) {\n",
                    "        lease.workers().interrupt();\n        if (!lease.isGivenBack()) {\n"),
            Mutant.of(
                    "an interrupt that the work did not notice outlives it",
                    Judge.SIMULATION,
                    "invariant 5",
                    "WorkingThread.java",
                    "        if (interrupting.remove(lost)) {",
                    "        if (interrupting.remove(lost) && interrupting.contains(lost)) {"),
            Mutant.of(
                    "ended for whatever is lost",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseLoss.java",
                    "grant.onLost() == OnLost.SHUTDOWN && loss.reason() != Reason.CLOSED;",
                    "loss.reason() != Reason.CLOSED;"),
            Mutant.of(
                            "renewal scheduled after the close",
                            Judge.TEST,
                            "HeartbeatTests.stopsWithTheRelease",
                            "Heartbeat.java",
                            "        stopped = true;\n        beat.cancel();\n        watch.cancel();",
                            "        watch.cancel();")
                    .and("LeaseRenewal.java", "term.isHeldAt(now) ?", "true ?")
                    .and("HeldLease.java", "        if (isOver()) {", "        if (false) {"),
            Mutant.of(
                    "a failed release spoils work that is done",
                    Judge.TEST,
                    "ReleaseTests.workThatIsDoneIsNotSpoiltByAReleaseThatFails",
                    "LeasedWork.java",
                    "            if (thrown != null) {",
                    "            if (thrown == null) {\n                throw releaseFailure;\n            } else {"),
            Mutant.of(
                    "a request under a monitor",
                    Judge.TEST,
                    "NoMonitorOverRequestsTests.noRequestIsSentUnderAMonitor",
                    "StoreGate.java",
                    "    private Answer sendNow(",
                    "    private synchronized Answer sendNow("),
            Mutant.of(
                    "all locks beat together",
                    Judge.TEST,
                    "BeatPlanTests.beatsOfLocksAcquiredTogetherAreSpreadEvenlyOverHalfAnInterval",
                    "BeatPlan.java",
                    "FIRST_SPREAD = 0.5",
                    "FIRST_SPREAD = 0"),
            Mutant.of(
                    "one lock that fails is an outage",
                    Judge.TEST,
                    "AvailabilityTests.aLockWhoseOwnRequestsFailIsNoOutageWhileOthersAreAnswered",
                    "Availability.java",
                    "        failures = 0;\n",
                    ""),
            Mutant.of(
                    "requests that hang beside answered ones are an outage",
                    Judge.TEST,
                    "AvailabilityTests.requestsThatHangWhileOthersAreAnsweredAreNoOutage",
                    "Availability.java",
                    "if (responses != responsesWhenSent) {",
                    "if (responses < responsesWhenSent) {"),
            Mutant.of(
                    "as many requests at once as ever while nothing is answered",
                    Judge.TEST,
                    "AvailabilityTests.fewRequestsRunAtOnceWhileTheStoreIsAway",
                    "Availability.java",
                    "            atOnce = FEWEST;\n",
                    ""),
            Mutant.of(
                    "sixteen threads send sixteen releases",
                    Judge.TEST,
                    "ReleaseTests.sixteenThreadsReleaseWithOneRequest",
                    "LeaseRelease.java",
                    "performed.compareAndExchange(null, mine)",
                    "null"),
            Mutant.of(
                    "the first attempt is not counted",
                    Judge.TEST,
                    "RetryPolicyTests.countsAttemptsInAll",
                    "RetryPolicy.java",
                    "attempts >= maxAttempts",
                    "attempts > maxAttempts"),
            Mutant.of(
                    "an acquire that begins while the manager closes waits for ever",
                    Judge.TEST,
                    "ShutdownTests.anAcquisitionThatBeginsWhileTheManagerIsClosedEndsToo",
                    "Engine.java",
                    "        if (!takes(() -> tasks.work(rank, request))) {",
                    "        if (!takes(() -> tasks.work(rank, request)) && request == null) {"),
            Mutant.of(
                    "a request is sent on another thread than its caller's",
                    Judge.TEST,
                    "CallerThreadTests.aCallerSendsItsOwnRequests",
                    "BlockingAcquisition.java",
                    "        try {\n            acquisition.advance();",
                    "        try {\n            Thread sender = new Thread(acquisition::advance);\n            sender.start();\n            sender.join();"),
            Mutant.of(
                    "no bound on callers' requests",
                    Judge.TEST,
                    "CallerThreadTests.aFullLineOfRequestsIsAFailureThatNamesItsRemedy",
                    "Engine.java",
                    "new RequestLimit(settings.maxConcurrentRequests(), ",
                    "new RequestLimit(Integer.MAX_VALUE, "),
            Mutant.of(
                    "a request that hangs has all the time there is",
                    Judge.TEST,
                    "StuckCallersTests.callersAreBackWithinTheirWaitAndCallTimeout",
                    "RetryBudget.java",
                    "new RequestTimeouts(Durations.min(attempt, left), left)",
                    "new RequestTimeouts(attempt.multipliedBy(20), left.multipliedBy(20))"),
            Mutant.of(
                    "the first answer has no more time than any other",
                    Judge.TEST,
                    "AcquireTests.theFirstRequestHasMoreTimeThanThoseAfterIt",
                    "Engine.java",
                    "return gate.isWarm() ? usual : Durations.max(usual, questionTimeout());",
                    "return usual;"),
            Mutant.of(
                    "own release not recognised behind a successor",
                    Judge.TEST,
                    "ReleaseTests.recognisesItsOwnUnansweredReleaseBehindASuccessor",
                    "LeaseRelease.java",
                    "answer.applied() || mustHaveBeenReleased(answer)",
                    "answer.applied()"),
            Mutant.of(
                    "continuations run on the manager's threads",
                    Judge.TEST,
                    "CallerThreadTests.continuationsRunOnNoThreadOfTheManagers",
                    "Completions.java",
                    "            executor.execute(completion);",
                    "            completion.run();"),
            Mutant.of(
                    "futures are completed on threads that renewals need",
                    Judge.TEST,
                    "ThreadTasksTests.completesOnNoThreadThatRenewalsNeedIfTheExecutorRunsAtHand",
                    "Completions.java",
                    "!ManagerThread.isNeededForRenewals() ||",
                    "callbacks != null ||"),
            Mutant.of(
                    "undone although its lease is over",
                    Judge.TEST,
                    "UndoTests.nothingIsSentForALeaseThatIsOver",
                    "Undo.java",
                    "return now - overNanos >= 0;",
                    "return false;"),
            Mutant.of(
                    "all undone at once after an outage",
                    Judge.TEST,
                    "UndoTests.afterAnOutageUndosArePacedAndAllAreDone",
                    "Undo.java",
                    "        if (engine.isClosed()) {\n            return true;",
                    "        if (engine != null) {\n            return true;"),
            Mutant.of(
                    "undos take all threads while the store is away",
                    Judge.TEST,
                    "UndoTests.takesHalfOfTheThreadsAtMost",
                    "Undo.java",
                    "Math.max(1, engine.availability.atOnce() / 2)",
                    "Math.max(1, engine.availability.atOnce())"),
            Mutant.of(
                    "an asynchronous acquire waits for a thread for ever",
                    Judge.TEST,
                    "AsyncTests.anAttemptWithoutAThreadFailsByItselfOnceItsTimeIsOver",
                    "AsyncAcquisition.java",
                    "        try {\n            end = engine.tasks.at(endNanos, this::timeIsOver);",
                    "        try {\n            end = () -> {};"),
            Mutant.of(
                    "an asynchronous close is forgotten by a manager that closes",
                    Judge.TEST,
                    "AsyncTests.aCloseThatHasNoThreadFailsWithTheManagersEnd",
                    "Shutdown.java",
                    "        List.copyOf(engine.closings).forEach(AsyncClose::stopped);\n",
                    ""),
            Mutant.of(
                    "a wait for a turn goes on while the manager closes",
                    Judge.TEST,
                    "CallerThreadTests.aManagerThatClosesEndsTheWaitForATurn",
                    "Shutdown.java",
                    "        engine.gate.close();\n",
                    ""));

    private ThreadMutants() {}
}
