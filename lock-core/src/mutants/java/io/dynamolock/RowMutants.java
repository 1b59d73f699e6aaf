/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in writes and in the interpretation of responses. */
final class RowMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "lease id used again",
                    Judge.SIMULATION,
                    "invariant 1",
                    "AcquisitionAttempt.java",
                    "proposer.propose(now, context.leaseIds.get())",
                    "proposer.propose(now, request.name())"),
            Mutant.of(
                    "recognized by the name of the owner",
                    Judge.SIMULATION,
                    "invariant 1",
                    "ConditionFailures.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return AcquireRefusal.ACQUIRED;",
                    "if (write.owner().equals(row.owner())) {\n            return AcquireRefusal.ACQUIRED;"),
            Mutant.of(
                    "release without a condition",
                    Judge.SIMULATION,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "RELEASED, FORGET, HELD)",
                    "RELEASED, FORGET, \"attribute_exists(#tokenFloor)\")"),
            Mutant.of(
                    "row deleted by the release",
                    Judge.SIMULATION,
                    "invariant 2",
                    "dynamodb/LockExpressions.java",
                    "#acquiredAt, #metadata, #revoked, #detached\";",
                    "#acquiredAt, #metadata, #revoked, #detached, #tokenFloor, #fencingToken\";"),
            Mutant.of(
                    "the token is not proposed above the floor",
                    Judge.SIMULATION,
                    "invariant 6",
                    "FencingTokens.java",
                    "Math.max(fresh, followed + 1)",
                    "fresh"),
            Mutant.of(
                    "acquire without a condition on the floor",
                    Judge.SIMULATION,
                    "invariant 2",
                    "dynamodb/LockExpressions.java",
                    "String condition = guard + \" AND \" + ABOVE_FLOOR + othersCondition;",
                    "String condition = guard + othersCondition;"),
            Mutant.of(
                    "the response to a clock sample counts as that of the acquire",
                    Judge.TEST,
                    "ServerTimeTests.unansweredAcquireIsUndoneIfResamplingExhaustsTheCall",
                    "AcquisitionRequests.java",
                    "timeouts(context.clockSampleTimeout()));\n",
                    "timeouts(context.clockSampleTimeout()));\n        answered();\n"),
            Mutant.of(
                    "no undo",
                    Judge.SIMULATION,
                    "invariant 4",
                    "Undo.java",
                    "        open.add(undo);\n        enqueue(undo);",
                    ""),
            Mutant.of(
                    "an undo goes on although the lease has ended meanwhile",
                    Judge.SIMULATION,
                    "invariant 7",
                    "UndoCase.java",
                    "(!isOver() && tryRaiseFloor())",
                    "tryRaiseFloor()"),
            Mutant.of(
                    "a failed undo is repeated long after the end of the lease",
                    Judge.SIMULATION,
                    "invariant 7",
                    "Undo.java",
                    "Durations.nanos(context.settings.maxClockSkew());",
                    "60_000_000_000L;"),
            Mutant.of(
                    "own renewal counts as a loss",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "            return new RenewRefusal.Applied();\n        }",
                    "            return gone(\"\", row);\n        }"),
            Mutant.of(
                    "a detached lease keeps its id",
                    Judge.EXPLORER,
                    "invariant 4 in scope: three processes hand leases on",
                    "Resumption.java",
                    "                leaseId,\n                owner,\n                tokens",
                    "                token.leaseId(),\n                owner,\n                tokens"),
            Mutant.of(
                            "any rejection of a retried release counts as success",
                            Judge.SIMULATION,
                            "invariant 5",
                            "ConditionFailures.java",
                            "if (unanswered && leaseId.equals(row.lastLeaseId())) {",
                            "if (unanswered) {")
                    .fromSeed(4176),
            Mutant.of(
                    "busy without an observed holder",
                    Judge.TEST,
                    "WaitingTests.shortWaiterIsNotReportedBusyWhenLockIsFree",
                    "AcquisitionWait.java",
                    "return known.holdsSince(since, waiter);",
                    "return true;"),
            Mutant.of(
                    "the TTL attribute has no retention added",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.acquireWritesThisItem",
                    "dynamodb/TableLayout.java",
                    "lastUse.plus(retention)",
                    "lastUse"),
            Mutant.of(
                    "own acquire not recognized",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return AcquireRefusal.ACQUIRED;",
                    "if (row.isHeldBy(write.name())) {\n            return AcquireRefusal.ACQUIRED;"),
            Mutant.of(
                            "own release not recognized",
                            Judge.SIMULATION,
                            "invariant 5",
                            "ConditionFailures.java",
                            "if (unanswered && leaseId",
                            "if (!unanswered && leaseId")
                    .and(
                            "ConditionFailures.java",
                            "response.applied() || mustHaveBeenReleased(write, row, unanswered && beforeEnd)",
                            "response.applied()"),
            Mutant.of(
                    "a detached lease can be resumed twice",
                    Judge.TEST,
                    "ResumeTests.onlyOneOfTwoConcurrentResumesSucceeds",
                    "memory/Rows.java",
                    "isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf(), open);",
                    "(write.onlyIf() instanceof HeldBy || allows(row, write.onlyIf(), open));"),
            Mutant.of(
                    "resuming drops the metadata of a lease",
                    Judge.TEST,
                    "ResumeTests.resumedLeaseKeepsMetadata",
                    "memory/Rows.java",
                    "isCarriedOn(write) ? row.metadata() : write.metadata()",
                    "write.metadata()"),
            Mutant.of(
                    "the fence accepts any holder",
                    Judge.TEST,
                    "dynamodb.FencingTests.transactionIsRejectedAfterTakeover",
                    "dynamodb/Fencing.java",
                    "IS_HOLDER = \"#leaseId = :leaseId\"",
                    "IS_HOLDER = \"attribute_exists(#leaseId) OR #leaseId = :leaseId\""),
            Mutant.of(
                    "DynamoDB grants a held lock",
                    Judge.TEST,
                    "dynamodb.ExclusionAcrossProcessesTests.noIncrementIsLostAndTokensIncrease",
                    "dynamodb/LockExpressions.java",
                    "FREE = \"attribute_not_exists(#leaseId)\"",
                    "FREE = \"(attribute_not_exists(#leaseId) OR attribute_exists(#leaseId))\""),
            Mutant.of(
                            "DynamoDB renews regardless of the renewal number",
                            Judge.SIMULATION,
                            "invariant 1",
                            "dynamodb/LockExpressions.java",
                            "HELD + \" AND #renewals < :renewals AND \" + NOT_REVOKED",
                            "HELD + \" AND \" + NOT_REVOKED")
                    .fromSeed(8491),
            Mutant.of(
                    "DynamoDB renews a revoked lease",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.rejectsToRenewRevokedLease",
                    "dynamodb/LockExpressions.java",
                    " AND #renewals < :renewals AND \" + NOT_REVOKED",
                    " AND #renewals < :renewals\""),
            Mutant.of(
                    "DynamoDB lets a revoked lease be resumed",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.rejectsToResumeEndedOrRevokedLease",
                    "dynamodb/LockExpressions.java",
                    "(#detached) AND \" + NOT_REVOKED;",
                    "(#detached)\";"),
            Mutant.of(
                    "DynamoDB drops the metadata of a resumed lease",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.resumedLeaseKeepsMetadata",
                    "dynamodb/LockExpressions.java",
                    "(resumes ? KEEPING_METADATA",
                    "(resumes ? WITHOUT_METADATA"),
            Mutant.of(
                    "an earlier release without a response is forgotten",
                    Judge.TEST,
                    "ReleaseTests.recognizesEarlierReleaseAfterAnotherAcquired",
                    "LeaseRelease.java",
                    "unanswered |= budget.anyUnanswered();",
                    "unanswered = budget.anyUnanswered();"),
            Mutant.of(
                    "a release claims that of an operator",
                    Judge.TEST,
                    "ConditionFailuresTests.releaseByAnotherProcessIsNotClaimed",
                    "ConditionFailures.java",
                    "if (unanswered && leaseId.equals(row.lastLeaseId())) {",
                    "if (leaseId.equals(row.lastLeaseId())) {"),
            Mutant.of(
                    "a failed release or renewal claims to know its outcome",
                    Judge.TEST,
                    "ReleaseTests.failureReportsUnknownOutcomeAfterAnyUnansweredAttempt",
                    "StoreClient.java",
                    "throw budget.anyUnanswered() ? failure.withUnknownOutcome() : failure;",
                    "throw failure;"),
            Mutant.of(
                    "a rejected acquire with an earlier lost response is not undone",
                    Judge.TEST,
                    "AcquireTests.acquireRejectedAfterUnansweredAttemptIsUndone",
                    "Proposal.java",
                    "verdict == Verdict.TOO_LATE || (mayReturn && unanswered)",
                    "verdict == Verdict.TOO_LATE"),
            Mutant.of(
                    "an undo ends although a copy arrived between its requests",
                    Judge.TEST,
                    "UndoTests.duplicateBetweenItsTwoRequestsIsUndone",
                    "UndoPlan.java",
                    "return raised.applied() || row == null || !row.isHeldBy(write.leaseId());",
                    "return raised.applied() || row != null;"),
            Mutant.of(
                    "a lease whose response arrived too late is not undone",
                    Judge.TEST,
                    "AcquireTests.acquireAnsweredAfterItsEndIsNotHeld",
                    "AcquisitionAttempt.java",
                    "if (lateProposal != null && !acquired) {",
                    "if (lateProposal == null && proposal != null) {"),
            Mutant.of(
                    "a kept row can be renewed by a late copy",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.lockInMinHoldIsTakenOverByObserver",
                    "dynamodb/LockExpressions.java",
                    "values.put(\":renewals\", number(remaining.number()));",
                    "values.put(\":renewals\", number(0));"),
            Mutant.of(
                    "an undo shortens the TTL of a held row",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.floorUnderHolderDoesNotShortenTtl",
                    "dynamodb/LockExpressions.java",
                    "#ttl = if_not_exists(#ttl, :ttl)\";",
                    "#ttl = :ttl\";"),
            Mutant.of(
                    "the TTL of a row is rounded down",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.floorUnderHolderDoesNotShortenTtl",
                    "dynamodb/TableLayout.java",
                    "return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;",
                    "return end.getEpochSecond();"),
            Mutant.of(
                    "the TTL of a kept row precedes its end",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.minHoldReleaseLeavesThisItem",
                    "dynamodb/LockExpressions.java",
                    "putTtl(values, remaining.storeEnd());",
                    "putTtl(values, write.at());"),
            Mutant.of(
                    "the TTL of a renewed row precedes the end of its lease",
                    Judge.TEST,
                    "ObservedTimeTests.ttlUsesStoreTimeNeverWallClock",
                    "LeaseGrant.java",
                    "renewal.sent().latestStoreTimeAfter(lockDelay.inRow(renewal.leaseDuration())),",
                    "renewal.sent().latestStoreTime(),"),
            Mutant.of(
                    "the second write of a holder is rejected by the fence",
                    Judge.TEST,
                    "dynamodb.FencingTests.itemWithTokenRejectsSmallerToken",
                    "dynamodb/Fencing.java",
                    "OR #fence <= :fence)",
                    "OR #fence < :fence)"),
            Mutant.of(
                    "a fencing condition is created for a lost lease",
                    Judge.TEST,
                    "dynamodb.FencingTests.lostOrReleasedLeaseIsRejectedImmediately",
                    "dynamodb/Fencing.java",
                    "    public static Expression notFencedOff(Lease lease, String attribute) {\n        lease.ensureHeld();\n",
                    "    public static Expression notFencedOff(Lease lease, String attribute) {\n"),
            Mutant.of(
                    "a live lock of another library is acquired",
                    Judge.TEST,
                    "dynamodb.ForeignLocksTests.liveLockIsBusyAndShowsItsOwner",
                    "dynamodb/HonoredLocks.java",
                    "return condition(true);",
                    "return \"\";"),
            Mutant.of(
                    "an expired lock of another library blocks the lock forever",
                    Judge.TEST,
                    "dynamodb.ForeignLocksTests.endedLockIsAcquiredAgainAndAgain",
                    "dynamodb/EndingForeignLock.java",
                    "OR #%2$s < :now_%2$s)",
                    "OR #%2$s = :now_%2$s)"),
            Mutant.of(
                    "the shrinking rest of another library's lock counts from its first look",
                    Judge.TEST,
                    "ObservationsTests.remainingDurationCountsFromTheLatestResponse",
                    "Observations.java",
                    "row.leaseDuration().compareTo(before.leaseDuration()) < 0",
                    "row.leaseDuration().compareTo(before.leaseDuration()) > 0"),
            Mutant.of(
                    "a lease that has ended hides a live lock of another library",
                    Judge.TEST,
                    "dynamodb.ForeignLocksTests.foreignLockOverLeaseOfDeadProcessIsShownAndWaitedFor",
                    "dynamodb/HonoredLocks.java",
                    "(row.expiresAt() == null || !row.expiresAt().isBefore(now))",
                    "now != null"),
            Mutant.of(
                    "a live lease is hidden by a lock of another library",
                    Judge.TEST,
                    "dynamodb.ForeignLocksTests.foreignLockDoesNotHideLiveLease",
                    "dynamodb/HonoredLocks.java",
                    "(row.expiresAt() == null || !row.expiresAt().isBefore(now))",
                    "now == null"),
            Mutant.of(
                            "a lock of awslabs is taken over although its version changes",
                            Judge.TEST,
                            "dynamodb.ForeignLocksTests.lockOfAwslabsIsHeldWhileItsVersionChanges",
                            "dynamodb/AwslabsLock.java",
                            ".stamp(new ForeignStamp(version, true))",
                            ".stamp(new ForeignStamp(AttributeValue.fromS(\"any\"), true))")
                    .and(
                            "dynamodb/LockExpressions.java",
                            "AwslabsLock.UNCHANGED,",
                            "AwslabsLock.UNCHANGED.replace('=', '>'),"),
            Mutant.of(
                    "the marks of an abandoned lock of awslabs close the lock after its takeover",
                    Judge.TEST,
                    "dynamodb.ForeignLocksTests.lockOfAwslabsIsTakenOverOnceVersionIsUnchanged",
                    "dynamodb/AwslabsLock.java",
                    "return List.of(VERSION, RELEASED, DURATION, OWNER);",
                    "return List.of();"));

    private RowMutants() {}
}
