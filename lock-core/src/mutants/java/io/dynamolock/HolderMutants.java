/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in the lease state of a holder. */
final class HolderMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "a release returns as soon as a process that stood still goes on",
                    Judge.TEST,
                    "time.InFlightRequestsTests.waitsSlightlyLongerAfterProcessPause",
                    "time/InFlightRequests.java",
                    "interrupted |= parker.awaitUninterruptibly(this::noneOnOtherThreads, SLACK);",
                    ""),
            Mutant.of(
                            "deadline counted from the answer",
                            Judge.OBSERVED,
                            "invariant 1",
                            "AcquisitionAttempt.java",
                            "proposer.grantOf(sent, ",
                            "proposer.grantOf(new Proposal(sent.write(), sent.sent(), LeaseExpiry.after(now, lease)), ")
                    .and(
                            "LeaseValidity.java",
                            "            end = newestEnd;\n            state",
                            "            end = LeaseExpiry.after(now, renewal.lease());\n            state"),
            Mutant.of(
                            "deadline counted from the last attempt",
                            Judge.TEST,
                            "RenewalTests.endCountsFromBeforeFirstAttempt",
                            "LeaseRenewal.java",
                            "timeouts -> context.client.renew(grant.name(), write, timeouts, status::ensureHeld)",
                            "timeouts -> {\n                        ClockReading last = context.clock.now();\n                        synchronized (validity) {\n                            validity.resent(last, wanted);\n                        }\n                        return context.client.renew(grant.name(), write, timeouts, status::ensureHeld);\n                    }")
                    .and(
                            "LeaseValidity.java",
                            "    /** Records that a renewal was applied. */",
                            "    void resent(ClockReading now, Duration lease) {\n        newestEnd = LeaseExpiry.after(now, lease);\n    }\n\n    /** Records that a renewal was applied. */"),
            Mutant.of(
                    "deadline raised before the renewal succeeded",
                    Judge.SIMULATION,
                    "invariant 1",
                    "LeaseValidity.java",
                    "end = end.earlier(newestEnd);",
                    "end = newestEnd;"),
            Mutant.of(
                    "deadline not lowered before a shorter renewal",
                    Judge.EXPLORER,
                    "invariant 1",
                    "LeaseValidity.java",
                    "        end = end.earlier(newestEnd);\n",
                    ""),
            Mutant.of(
                    "deadline raised by an overtaken renewal",
                    Judge.EXPLORER,
                    "invariant 1",
                    "LeaseValidity.java",
                    "if (isHeldAt(now) && renewal.number() == newestNumber) {\n            end = newestEnd;",
                    "if (isHeldAt(now)) {\n            end = renewal.end();"),
            Mutant.of(
                    "renewals without numbers",
                    Judge.EXPLORER,
                    "invariant 4",
                    "memory/Rows.java",
                    "&& row.renewals() < write.number()",
                    ""),
            Mutant.of(
                            "holder goes by the early edge",
                            Judge.SIMULATION,
                            "invariant 1",
                            "LeaseExpiry.java",
                            "sent.latestMillis() + millis",
                            "sent.earliestMillis() + millis")
                    .and(
                            "LeaseExpiry.java",
                            "now.latestMillis() >= commonMillis)",
                            "now.earliestMillis() >= commonMillis)"),
            Mutant.of(
                    "the holder's wall clock taken to be exact",
                    Judge.TEST,
                    "DriftTests.suspendedHolderWithSlowWallClockStopsInTime",
                    "LeaseExpiry.java",
                    "sent.wallMillis() + millis - Drift.allowanceMillis(millis)",
                    "sent.wallMillis() + millis"),
            Mutant.of(
                    "suspension of the machine ignored",
                    Judge.OBSERVED,
                    "invariant 1",
                    "LeaseExpiry.java",
                    "                || now.wallMillis() >= wallMillis\n",
                    ""),
            Mutant.of(
                            "no drift allowance on the holder's end",
                            Judge.SERVER,
                            "invariant 1",
                            "LeaseExpiry.java",
                            "sent.nanos() + nanos - Drift.allowance(nanos)",
                            "sent.nanos() + nanos")
                    .and(
                            "LeaseExpiry.java",
                            "sent.wallMillis() + millis - Drift.allowanceMillis(millis)",
                            "sent.wallMillis() + millis"),
            Mutant.of(
                    "wall clock read again after the answer",
                    Judge.SERVER,
                    "invariant 1",
                    "ServerLeaseClock.java",
                    "        IntervalClock after;\n        synchronized (this) {\n            before = interval;\n            after = received.addTo(before, sent, date);",
                    "        IntervalClock after;\n        Instant again = wall.instant();\n        synchronized (this) {\n            before = interval;\n            after = date == null ? before.withUndatedResponse(received.nanos(), again) : before.withSample(sent.nanos(), received.nanos(), received.wallShiftSince(sent), date, again);"),
            Mutant.of(
                    "a lost lease is held again",
                    Judge.SIMULATION,
                    "invariant 4",
                    "LeaseValidity.java",
                    "        if (isHeldAt(now) && renewal.number() == newestNumber) {",
                    "        if (renewal.number() == newestNumber) {"),
            Mutant.of(
                    "an acquire answered after its own end is held",
                    Judge.TEST,
                    "AcquireTests.acquireAnsweredAfterItsEndIsNotHeld",
                    "Proposal.java",
                    "case ACQUIRED -> end.isPast(now) ? Verdict.TOO_LATE : Verdict.HELD;",
                    "case ACQUIRED -> Verdict.HELD;"),
            Mutant.of(
                    "renewal under way when the release returns",
                    Judge.TEST,
                    "HeartbeatTests.releaseWaitsForRenewalInFlightAndStopsFurtherRenewals",
                    "LeaseRelease.java",
                    "            renewal.awaitNone();\n",
                    ""),
            Mutant.of(
                    "a process that stood still does not ask why",
                    Judge.TEST,
                    "HeartbeatTests.pausedProcessLosesLeaseImmediatelyAndLearnsReason",
                    "LeaseLossHandler.java",
                    "context.scheduler.retryRenewal(status.endNanos(), this::findLossReason);",
                    "lose(Reason.UNREACHABLE, null);"),
            Mutant.of(
                    "a renewal that waits for a thread is not missed",
                    Judge.TEST,
                    "HeartbeatTests.renewalWithoutThreadReportsLossByLocalEnd",
                    "Heartbeat.java",
                    "            renewal.missed();\n",
                    ""),
            Mutant.of(
                    "a condition on a version that each renewal changes",
                    Judge.TEST,
                    "HeartbeatTests.failuresDoNotStopTheSchedule",
                    "memory/Rows.java",
                    "row.renewals() < write.number();",
                    "row.renewals() == write.number() - 1;"),
            Mutant.of(
                    "its own late release is a revocation",
                    Judge.TEST,
                    "LossTests.ownLateReleaseIsNotRevocation",
                    "LeaseLossHandler.java",
                    "if (released && status.isReleaseSent()) {",
                    "if (released && !status.isOver()) {"),
            Mutant.of(
                    "a heartbeat at rest stays at rest",
                    Judge.TEST,
                    "HeartbeatRestTests.shorterRenewalRestartsIdleHeartbeat",
                    "time/RenewalSchedule.java",
                    "(idle || nextDue - renewalNanos < 0)",
                    "nextDue - renewalNanos < 0"),
            Mutant.of(
                    "a renewal that fails is no risk",
                    Judge.TEST,
                    "HeartbeatTests.missedRenewalMeansAtRiskUntilOneSucceeds",
                    "RiskNotification.java",
                    "            if (!validity.failed(now)) {",
                    "            if (!lease.isHeld()) {"),
            Mutant.of(
                    "a loss is not reported",
                    Judge.TEST,
                    "HeartbeatTests.takeoverIsReportedWithNewHolder",
                    "LeaseLossHandler.java",
                    "        runAndLogFailure(() -> context.runCallback(() -> context.listener.onLost(lease, loss)));\n",
                    ""),
            Mutant.of(
                    "a revocation does not stop renewals",
                    Judge.TEST,
                    "HeartbeatTests.revokedLockIsFreeAtLeaseEnd",
                    "memory/Rows.java",
                    "                && !row.revoked()\n                && row.renewals()",
                    "                && row.renewals()"),
            Mutant.of(
                    "all retry soon while the store is away",
                    Judge.TEST,
                    "OutageTests.outageDoesNotIncreaseRequestRate",
                    "Heartbeat.java",
                    "context.availability.isDown()\n",
                    "false\n"),
            Mutant.of(
                    "beats are put off again and again while the store flaps",
                    Judge.TEST,
                    "FlappingStoreTests.noLeaseNearsItsEnd",
                    "time/RenewalSchedule.java",
                    "        long nanos = failures == 0 && latestNanos - slot < 0 ? latestNanos : slot;\n        boolean later = renewalNanos - nanos < 0;\n        boolean moves = later ? !postponed : failures > 0;",
                    "        long nanos = slot;\n        boolean later = renewalNanos - nanos < 0;\n        boolean moves = later || failures > 0;"),
            Mutant.of(
                    "all come back at once",
                    Judge.TEST,
                    "OutageTests.outageNeverDoublesRequestsAndSparesLeasesWithOneSecondLeft",
                    "time/RecoverySchedule.java",
                    "offset += ",
                    "offset = 0 * "),
            Mutant.of(
                    "a lock delay that the holder uses up",
                    Judge.TEST,
                    "LockDelayTests.holderStopsAtUnchangedTime",
                    "Proposer.java",
                    "        return new Proposal(write, now, end);",
                    "        return new Proposal(write, now, LeaseExpiry.after(now, lockDelay.inRow(lease)));"),
            Mutant.of(
                    "the loss of an unreachable lease is not reported to listeners",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseLossHandler.java",
                    "runAndLogFailure(() -> context.runCallback(() -> context.listener.onLost(lease, loss)));",
                    "runAndLogFailure(() -> context.runCallback(() -> {\n            if (loss.reason() != Reason.UNREACHABLE) {\n                context.listener.onLost(lease, loss);\n            }\n        }));"),
            Mutant.of(
                            "a renewal that meets the release asks why the lease has ended",
                            Judge.TEST,
                            "ReleaseRaceTests.renewalThatMeetsReleaseSendsNothing",
                            "LeaseLossHandler.java",
                            "        if (status.isReleasedOrDetached()) {\n            return; // meanwhile, by its holder",
                            "        if (false) {\n            return;")
                    .and(
                            "LeaseLossHandler.java",
                            "    private void findLossReason() {\n        if (status.isReleasedOrDetached()) {",
                            "    private void findLossReason() {\n        if (false) {"),
            Mutant.of(
                    "a loss is reported twice",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseStatus.java",
                    "loss != null || !validity.lose()",
                    "!validity.lose()"),
            Mutant.of(
                    "an overtaken renewal is a loss",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "        return new Renewal.Overtaken(\n                row.expiresAt() == null ? 0 : row.expiresAt().toEpochMilli());",
                    "        return gone(write.leaseId(), row);"),
            Mutant.of(
                    "an overtaken renewal revives a lost lease",
                    Judge.SIMULATION,
                    "invariant 4",
                    "LeaseValidity.java",
                    "        end = end.notAfter(rowMillis);\n        if (isHeldAt(now)) {",
                    "        end = end.notAfter(rowMillis);\n        if (!isReleasedOrDetached()) {"),
            Mutant.of(
                    "a release that was applied is not believed",
                    Judge.SIMULATION,
                    "invariant 5",
                    "LeaseRelease.java",
                    "answer.applied() || mustHaveBeenReleased(answer)",
                    "mustHaveBeenReleased(answer)"),
            Mutant.of(
                    "detached before a renewal under way has ended",
                    Judge.TEST,
                    "ResumeTests.detachMarksRowAfterRenewalInFlight",
                    "HeldLease.java",
                    "        end();\n        renewal.awaitNone();\n        renewal.mark();",
                    "        end();\n        renewal.mark();"),
            Mutant.of(
                    "the reason of a loss is read from an old copy",
                    Judge.TEST,
                    "LossTests.lossReasonUsesConsistentRead",
                    "LeaseLossHandler.java",
                    "grant.stored(), true, RequestTimeouts",
                    "grant.stored(), false, RequestTimeouts"),
            Mutant.of(
                    "renew() renews for the last duration",
                    Judge.TEST,
                    "RenewalTests.defaultsToDurationOfAcquire",
                    "HeldLease.java",
                    "return renewFor(grant.lease());",
                    "return renewFor(status.duration());"),
            Mutant.of(
                    "the heartbeat goes on with the old duration",
                    Judge.TEST,
                    "RenewalTests.detachedLeaseKeepsLastDuration",
                    "LeaseRenewal.java",
                    "            status.duration(wanted);\n",
                    ""),
            Mutant.of(
                    "detaching gives more than the longest hold",
                    Judge.TEST,
                    "ResumeTests.detachNeverExceedsMaxHold",
                    "LeaseRenewal.java",
                    "            Duration wanted = grant.renewableDuration(status.duration(), now.nanos());\n            Renewal renewal;",
                    "            Duration wanted = status.duration();\n            Renewal renewal;"),
            Mutant.of(
                    "the remaining time ignores the common time",
                    Judge.TEST,
                    "LeaseExpiryTests.remainingTimeIsMinimumOfAllClocks",
                    "LeaseExpiry.java",
                    "return now.isComparableTo(time)\n                ? Durations.min(remaining, Duration.ofMillis(commonMillis - now.latestMillis()))\n                : remaining;",
                    "return remaining;"),
            Mutant.of(
                    "the wall clock's end is raised before the renewal succeeded",
                    Judge.TEST,
                    "LeaseValidityTests.responseAfterEndDoesNotReviveLease",
                    "LeaseExpiry.java",
                    "Math.min(wallMillis, other.wallMillis),",
                    "other.wallMillis,"),
            Mutant.of(
                    "the common time's end is raised before the renewal succeeded",
                    Judge.TEST,
                    "LeaseValidityTests.responseAfterEndDoesNotReviveLease",
                    "LeaseExpiry.java",
                    "time == other.time ? Math.min(commonMillis, other.commonMillis) : other.commonMillis,",
                    "other.commonMillis,"),
            Mutant.of(
                    "an action that fails keeps the loss from those after it",
                    Judge.TEST,
                    "HeartbeatTests.lateCallbackRunsImmediatelyAndThrowingCallbackIsIsolated",
                    "LossNotification.java",
                    "known.name(), failure);\n            }",
                    "known.name(), failure);\n                return;\n            }"),
            Mutant.of(
                    "a lock that was taken and freed again counts as revoked",
                    Judge.TEST,
                    "ConditionFailuresTests.renewalRefusedByRowFreeingAnotherLeaseMeansTakeover",
                    "ConditionFailures.java",
                    "if (row.isFree() && leaseId.equals(row.lastLeaseId())) {",
                    "if (row.isFree()) {"),
            Mutant.of(
                    "an action that fails keeps the risk from those after it",
                    Judge.TEST,
                    "AtRiskTests.throwingCallbackDoesNotAffectOthers",
                    "RiskNotification.java",
                    "context.runCallback(() -> concerned.forEach(this::run));",
                    "context.runCallback(() -> concerned.forEach(action -> action.accept(lease)));"),
            Mutant.of(
                    "verify believes an old copy of the row",
                    Judge.TEST,
                    "VerifyTests.returnsTrueForCurrentLeaseWithOneRead",
                    "LeaseCheck.java",
                    "context.client.read(grant.name(), grant.stored(), true, timeouts)",
                    "context.client.read(grant.name(), grant.stored(), false, timeouts)"),
            Mutant.of(
                    "a shorter renewal leaves the watch where it was",
                    Judge.TEST,
                    "HeartbeatTests.shortenedLeaseWithoutAutoRenewEndsEarlier",
                    "time/RenewalSchedule.java",
                    "return checksExpiry && endNanos - expiryCheckNanos < 0;",
                    "return checksExpiry && idle && endNanos - expiryCheckNanos < 0;"),
            Mutant.of(
                    "a heartbeat at rest is late",
                    Judge.TEST,
                    "HeartbeatTests.hasNoLagWithoutRenewals",
                    "time/RenewalSchedule.java",
                    "return stopped || idle || !renews;",
                    "return stopped || !renews;"),
            Mutant.of(
                    "a retry hides how late the heartbeat is",
                    Judge.TEST,
                    "HeartbeatTests.lagCountsFromFirstMissedRenewal",
                    "Heartbeat.java",
                    "            retryAt(context.clock.nanos() + retryDelayNanos());",
                    "            renewAt(context.clock.nanos() + retryDelayNanos());"),
            Mutant.of(
                    "one failure makes all later beats retries",
                    Judge.TEST,
                    "HeartbeatTests.lagCountsFromFirstMissedRenewal",
                    "time/RenewalSchedule.java",
                    "failures = regular ? 0 : failures + 1;",
                    "failures = regular ? failures : failures + 1;"),
            Mutant.of(
                    "after an outage those come first that came first",
                    Judge.TEST,
                    "OutageTests.outageNeverDoublesRequestsAndSparesLeasesWithOneSecondLeft",
                    "LeaseRegistry.java",
                    "                .sorted(Comparator.comparingLong(Renewing::remaining))\n",
                    ""));

    private HolderMutants() {}
}
