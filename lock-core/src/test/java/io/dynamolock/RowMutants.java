/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in what is written, and in what an answer is taken for. */
final class RowMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "lease id used again",
                    Judge.SIMULATION,
                    "invariant 1",
                    "Acquisition.java",
                    "proposer.propose(engine.clock.now(), engine.leaseIds.get())",
                    "proposer.propose(engine.clock.now(), request.name())"),
            Mutant.of(
                    "recognised by the name of the owner",
                    Judge.SIMULATION,
                    "invariant 1",
                    "Refusals.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return Acquisition.OURS;",
                    "if (write.owner().equals(row.owner())) {\n            return Acquisition.OURS;"),
            Mutant.of(
                    "release without a condition",
                    Judge.SIMULATION,
                    "invariant 1",
                    "dynamodb/LockExpressions.java",
                    "dated(CLEAR, HELD, ",
                    "dated(CLEAR, \"attribute_exists(#tokenFloor)\", "),
            Mutant.of(
                    "row deleted by the release",
                    Judge.SIMULATION,
                    "invariant 2",
                    "dynamodb/LockExpressions.java",
                    "#acquiredAt, #metadata, #revoked\";",
                    "#acquiredAt, #metadata, #revoked, #tokenFloor, #fencingToken\";"),
            Mutant.of(
                    "token not proposed above the floor",
                    Judge.SIMULATION,
                    "invariant 6",
                    "Tokens.java",
                    "Math.max(fresh, highestSeen + 1)",
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
                    "ServerTimeTests.anAcquireWithoutAnAnswerIsUndoneIfTheTimeIsAskedAgainUntilNobodyWaitsAnyMore",
                    "Acquisition.java",
                    "            if (openProposal() == null) {\n                answered();\n            }",
                    "            answered();"),
            Mutant.of(
                    "no undo",
                    Judge.SIMULATION,
                    "invariant 4",
                    "Undo.java",
                    "        open.add(one);\n        enqueue(one);",
                    ""),
            Mutant.of(
                    "own renewal taken for a loss",
                    Judge.TEST,
                    "RefusalsTests.aRenewalRefusedByItsOwnNumberAndEndWasApplied",
                    "Refusals.java",
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
                    "Refusals.java",
                    "if (unanswered && leaseId.equals(row.lastLeaseId())) {",
                    "if (unanswered) {"),
            Mutant.of(
                    "busy although nobody was seen to hold it",
                    Judge.TEST,
                    "WaitingTests.whoWaitsForLessThanAGapOfTheFirstInLineIsNotToldBusyByAFreeLock",
                    "Acquisition.java",
                    "return (holderSeen != null && heldNanos - since >= 0) || (place != null && place.sawItHeldSince(since));",
                    "return true;"),
            Mutant.of(
                    "TTL trusted to be late: no retention",
                    Judge.TEST,
                    "dynamodb.DynamoDbLockStoreTests.anAcquisitionWritesThisItem",
                    "dynamodb/TableLayout.java",
                    "lastUse.plus(retention)",
                    "lastUse"),
            Mutant.of(
                    "own acquire not recognised",
                    Judge.TEST,
                    "AcquireTests.recognisesItsOwnUnansweredAcquire",
                    "Refusals.java",
                    "if (row.isHeldBy(write.leaseId())) {\n            return Acquisition.OURS;",
                    "if (row.isHeldBy(write.name())) {\n            return Acquisition.OURS;"),
            Mutant.of(
                            "own release not recognised",
                            Judge.TEST,
                            "ReleaseTests.recognisesItsOwnUnansweredRelease",
                            "Refusals.java",
                            "if (unanswered && leaseId",
                            "if (!unanswered && leaseId")
                    .and("LeaseRelease.java", "answer.applied() || mustHaveBeenReleased(answer)", "answer.applied()"),
            Mutant.of(
                    "a detached lease can be resumed twice",
                    Judge.TEST,
                    "ResumeTests.aTokenServesOnce",
                    "memory/Rows.java",
                    "return isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf());",
                    "return write.onlyIf() instanceof HeldBy || allows(row, write.onlyIf());"),
            Mutant.of(
                    "what stands beside a lease is lost by resuming",
                    Judge.TEST,
                    "ResumeTests.whatStandsBesideTheLeaseGoesWithIt",
                    "memory/Rows.java",
                    "isCarriedOn(write) ? row.metadata() : write.metadata()",
                    "write.metadata()"),
            Mutant.of(
                    "the fence asks for the owner",
                    Judge.TEST,
                    "dynamodb.FencingTests.aTransactionIsRefusedAfterATakeover",
                    "dynamodb/Fencing.java",
                    "IS_HOLDER = \"#leaseId = :leaseId\"",
                    "IS_HOLDER = \"attribute_exists(#leaseId) OR #leaseId = :leaseId\""));

    private RowMutants() {}
}
