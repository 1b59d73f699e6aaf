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
                    "proposer.propose(context.clock.now(), context.leaseIds.get())",
                    "proposer.propose(context.clock.now(), request.name())"),
            Mutant.of(
                    "recognised by the name of the owner",
                    Judge.SIMULATION,
                    "invariant 1",
                    "ConditionFailures.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return Acquisition.ACQUIRED;",
                    "if (write.owner().equals(row.owner())) {\n            return Acquisition.ACQUIRED;"),
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
                    "token not proposed above the floor",
                    Judge.SIMULATION,
                    "invariant 6",
                    "FencingTokens.java",
                    "Math.max(fresh, followed + 1)",
                    "fresh"),
            Mutant.of(
                    "floor not asked for",
                    Judge.SIMULATION,
                    "invariant 2",
                    "dynamodb/LockExpressions.java",
                    "String condition = guard + \" AND \" + ABOVE_FLOOR;",
                    "String condition = guard;"),
            Mutant.of(
                    "the time's answer taken for the acquire's",
                    Judge.TEST,
                    "ServerTimeTests.unansweredAcquireIsUndoneIfResamplingExhaustsTheCall",
                    "AcquisitionRequests.java",
                    "        if (!writeIsOpen) {\n            answered();\n        }",
                    "        answered();"),
            Mutant.of(
                    "no undo",
                    Judge.SIMULATION,
                    "invariant 4",
                    "Undo.java",
                    "        open.add(one);\n        enqueue(one);",
                    ""),
            Mutant.of(
                    "own renewal taken for a loss",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "            return new Renewal.Applied();\n        }",
                    "            return gone(\"\", row);\n        }"),
            Mutant.of(
                    "a detached lease keeps its id",
                    Judge.EXPLORER,
                    "invariant 4",
                    "Resumption.java",
                    "                leaseId,\n                owner,\n                tokens",
                    "                token.leaseId(),\n                owner,\n                tokens"),
            Mutant.of(
                    "any answer to a repeated release taken for ours",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "if (unanswered && leaseId.equals(row.lastLeaseId())) {",
                    "if (unanswered) {"),
            Mutant.of(
                    "busy although nobody was seen to hold it",
                    Judge.TEST,
                    "WaitingTests.shortWaiterIsNotReportedBusyWhenLockIsFree",
                    "AcquisitionWait.java",
                    "return (holderSeen != null && heldNanos - since >= 0) || (waiter != null && waiter.wasObservedHeldSince(since));",
                    "return true;"),
            Mutant.of(
                    "TTL trusted to be late: no retention",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.acquireWritesThisItem",
                    "dynamodb/TableLayout.java",
                    "lastUse.plus(retention)",
                    "lastUse"),
            Mutant.of(
                    "own acquire not recognised",
                    Judge.SIMULATION,
                    "invariant 5",
                    "ConditionFailures.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return Acquisition.ACQUIRED;",
                    "if (row.isHeldBy(write.name())) {\n            return Acquisition.ACQUIRED;"),
            Mutant.of(
                            "own release not recognised",
                            Judge.SIMULATION,
                            "invariant 5",
                            "ConditionFailures.java",
                            "if (unanswered && leaseId",
                            "if (!unanswered && leaseId")
                    .and("LeaseRelease.java", "answer.applied() || mustHaveBeenReleased(answer)", "answer.applied()"),
            Mutant.of(
                    "a detached lease can be resumed twice",
                    Judge.TEST,
                    "ResumeTests.onlyOneOfTwoConcurrentResumesSucceeds",
                    "memory/Rows.java",
                    "isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf());",
                    "(write.onlyIf() instanceof HeldBy || allows(row, write.onlyIf()));"),
            Mutant.of(
                    "what stands beside a lease is lost by resuming",
                    Judge.TEST,
                    "ResumeTests.resumedLeaseKeepsMetadata",
                    "memory/Rows.java",
                    "isCarriedOn(write) ? row.metadata() : write.metadata()",
                    "write.metadata()"),
            Mutant.of(
                    "the fence lets any holder pass",
                    Judge.TEST,
                    "dynamodb.FencingTests.transactionIsRefusedAfterTakeover",
                    "dynamodb/Fencing.java",
                    "IS_HOLDER = \"#leaseId = :leaseId\"",
                    "IS_HOLDER = \"attribute_exists(#leaseId) OR #leaseId = :leaseId\""),
            Mutant.of(
                    "DynamoDB gives a held lock away",
                    Judge.TEST,
                    "dynamodb.ExclusionAcrossProcessesTests.noIncrementIsLostAndTokensIncrease",
                    "dynamodb/LockExpressions.java",
                    "FREE = \"attribute_not_exists(#leaseId)\"",
                    "FREE = \"(attribute_not_exists(#leaseId) OR attribute_exists(#leaseId))\""),
            Mutant.of(
                    "DynamoDB renews whatever number the row has",
                    Judge.SIMULATION,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "HELD + \" AND #renewals < :renewals AND \" + NOT_REVOKED",
                    "HELD + \" AND \" + NOT_REVOKED"),
            Mutant.of(
                    "DynamoDB renews a revoked lease",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.refusesToRenewRevokedLease",
                    "dynamodb/LockExpressions.java",
                    " AND #renewals < :renewals AND \" + NOT_REVOKED",
                    " AND #renewals < :renewals\""),
            Mutant.of(
                    "DynamoDB lets a revoked lease be resumed",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.refusesToResumeEndedOrRevokedLease",
                    "dynamodb/LockExpressions.java",
                    "DETACHED + \" AND \" + NOT_REVOKED, KEEPING_METADATA",
                    "DETACHED, KEEPING_METADATA"),
            Mutant.of(
                    "DynamoDB forgets what stands beside a resumed lease",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.resumedLeaseKeepsMetadata",
                    "dynamodb/LockExpressions.java",
                    "NOT_REVOKED, KEEPING_METADATA",
                    "NOT_REVOKED, WITHOUT_METADATA"),
            Mutant.of(
                    "an earlier release's missing answer is forgotten",
                    Judge.TEST,
                    "ReleaseTests.recognizesEarlierReleaseAfterAnotherAcquired",
                    "LeaseRelease.java",
                    "unanswered |= budget.anyUnanswered();",
                    "unanswered = budget.anyUnanswered();"),
            Mutant.of(
                    "a release takes credit for an operator's",
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
                    "a refused acquire that went unanswered before is not undone",
                    Judge.TEST,
                    "AcquireTests.acquireRefusedAfterUnansweredAttemptIsUndone",
                    "Proposal.java",
                    "verdict == Verdict.TOO_LATE || (verdict == Verdict.BUSY && unanswered)",
                    "verdict == Verdict.TOO_LATE"),
            Mutant.of(
                    "an undo ends although a copy came in between",
                    Judge.TEST,
                    "UndoTests.duplicateBetweenItsTwoRequestsIsUndone",
                    "UndoPlan.java",
                    "return raised.applied() || row == null || !row.isHeldBy(write.leaseId());",
                    "return raised.applied() || row != null;"),
            Mutant.of(
                    "a lease that was answered too late is left behind",
                    Judge.TEST,
                    "AcquireTests.acquireAnsweredAfterItsEndIsNotHeld",
                    "AcquisitionAttempt.java",
                    "if (lateProposal != null && !acquired) {",
                    "if (lateProposal == null && proposal != null) {"),
            Mutant.of(
                    "a row at rest can be renewed by a late copy",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.lockInMinHoldIsTakenOverByObserver",
                    "dynamodb/LockExpressions.java",
                    "values.put(\":renewals\", number(Rest.RENEWALS));",
                    "values.put(\":renewals\", number(0));"),
            Mutant.of(
                    "an undo brings forward when a held row may go",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.floorUnderHolderDoesNotShortenTtl",
                    "dynamodb/LockExpressions.java",
                    "#ttl = if_not_exists(#ttl, :ttl)\";",
                    "#ttl = :ttl\";"),
            Mutant.of(
                    "rows go a moment before their retention is over",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.floorUnderHolderDoesNotShortenTtl",
                    "dynamodb/TableLayout.java",
                    "return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;",
                    "return end.getEpochSecond();"),
            Mutant.of(
                    "a row at rest may go before its rest is over",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.minHoldReleaseLeavesThisItem",
                    "dynamodb/LockExpressions.java",
                    "putTtl(values, remaining.storeEnd());",
                    "putTtl(values, write.at());"),
            Mutant.of(
                    "a renewed row may go before its lease is over",
                    Judge.TEST,
                    "ObservedTimeTests.ttlUsesStoreTimeNeverWallClock",
                    "LeaseGrant.java",
                    "renewal.sent().latestStoreTimeAfter(lockDelay.inRow(renewal.lease())),",
                    "renewal.sent().latestStoreTime(),"),
            Mutant.of(
                    "the second write of one holder is fenced off",
                    Judge.TEST,
                    "dynamodb.FencingTests.itemWithTokenRefusesSmallerToken",
                    "dynamodb/Fencing.java",
                    "OR #fence <= :fence)",
                    "OR #fence < :fence)"),
            Mutant.of(
                    "a condition is made for a lost lease",
                    Judge.TEST,
                    "dynamodb.FencingTests.lostOrReleasedLeaseIsRejectedImmediately",
                    "dynamodb/Fencing.java",
                    "    public static Expression notFencedOff(Lease lease, String attribute) {\n        lease.ensureHeld();\n",
                    "    public static Expression notFencedOff(Lease lease, String attribute) {\n"));

    private RowMutants() {}
}
