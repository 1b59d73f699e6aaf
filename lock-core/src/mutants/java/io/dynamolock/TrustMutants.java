/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Mutant.Judge;
import java.util.List;

/** Faults in the validation of rows, texts and lease tokens that others may have written. */
final class TrustMutants {

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                            "a lease is resumed without having been detached",
                            Judge.TEST,
                            "ResumeTests.leaseThatWasNotDetachedCannotBeResumed",
                            "Resumption.java",
                            "if (!row.detached()) {",
                            "if (row.revoked()) {")
                    .and("memory/Rows.java", " && row.detached() && !row.revoked()", " && !row.revoked()"),
            Mutant.of(
                    "the store resumes a lease that was not detached",
                    Judge.EXPLORER,
                    "invariant 1 in scope: lease tokens that nobody was given",
                    "memory/Rows.java",
                    " && row.detached() && !row.revoked()",
                    " && !row.revoked()"),
            Mutant.of(
                    "signatures of lease tokens are not verified",
                    Judge.TEST,
                    "ResumeTests.signedTokenRequiresItsKey",
                    "LeaseToken.java",
                    "key != null && !key.isSignatureOf(payload(), check)",
                    "key != null && !isSigned()"),
            Mutant.of(
                    "a lease token resumes a lease of another prefix",
                    Judge.TEST,
                    "ResumeTests.tokenOfAnotherPrefixIsRejectedWithoutRequest",
                    "Resumption.java",
                    "String name = context.names.fromStored(token.name());\n        if (name == null) {",
                    "String given = context.names.fromStored(token.name());\n        String name = given == null ? token.name() : given;\n        if (name.isEmpty()) {"),
            Mutant.of(
                    "a resumed lease has no maximum duration",
                    Judge.TEST,
                    "ResumeTests.leaseLongerThanAllowedIsNotResumed",
                    "Resumption.java",
                    "return context.settings.leaseOf(\n                LockRequest.of(name).leaseDuration(leaseDuration.toMillis() < 1 ? inRow : leaseDuration));",
                    "return leaseDuration.toMillis() < 1 ? inRow : leaseDuration;"),
            Mutant.of(
                    "tokens have no upper bound",
                    Judge.TEST,
                    "FencingTokensTests.neverExceedsExactJsonIntegers",
                    "FencingTokens.java",
                    "return Math.min(Math.max(fresh, followed + 1), LockRow.HIGHEST_TOKEN);",
                    "return Math.max(fresh, followed + 1);"),
            Mutant.of(
                    "one high token raises all others",
                    Judge.TEST,
                    "FencingTokensTests.isAtMostOneDayAheadOfClock",
                    "FencingTokens.java",
                    "previous - byClock > MAX_AHEAD ? byClock : Math.max(previous + 1, byClock)",
                    "Math.max(previous + 1, byClock)"),
            Mutant.of(
                    "a row that allows no higher token counts as busy",
                    Judge.TEST,
                    "CorruptRowTests.corruptRowCountsAsHeldIsReportedOnceAndKept",
                    "AcquisitionAttempt.java",
                    "if (takeable && row.isClosed()) {",
                    "if (takeable && row.isClosed() && response.applied()) {"),
            Mutant.of(
                    "a process keeps a high token that an operator has lowered",
                    Judge.TEST,
                    "ForceFreeTests.otherProcessesForgetTokensLoweredByOperator",
                    "FencingTokens.java",
                    "remembered - byClock > MAX_AHEAD ? demanded : Math.max(remembered, demanded)",
                    "Math.max(remembered, demanded)"),
            Mutant.of(
                    "a forced release frees a later lease",
                    Judge.TEST,
                    "ForceFreeTests.neverFreesLeaseAcquiredAfterFirstAttempt",
                    "memory/Rows.java",
                    "write.unchanged().fits(row)",
                    "write.unchanged() != null"),
            Mutant.of(
                    "a forced release closes a row without a floor",
                    Judge.TEST,
                    "CorruptRowTests.forceFreeKeepsRowWithoutFloorAcquirable",
                    "LockWrite.java",
                    "return seen.leavesNoToken() ? floor : seen.highestToken();",
                    "return lowersFloor() ? floor : seen.highestToken();"),
            Mutant.of(
                            "a lease is held while it is being detached",
                            Judge.TEST,
                            "ResumeTests.isNotHeldDuringDetach",
                            "LeaseStatus.java",
                            "            validity.detach();\n",
                            "")
                    .and(
                            "LeaseStatus.java",
                            "            validity.handOut();",
                            "            validity.detach();\n            validity.handOut();"),
            Mutant.of(
                    "a release during a detach is reported as a loss",
                    Judge.TEST,
                    "ResumeTests.releaseDuringDetachIsNoLoss",
                    "LeaseValidity.java",
                    "if (state == LeaseState.DETACHED && !handedOut) {",
                    "if (!handedOut) {"),
            Mutant.of(
                    "a lease that is released during its detach is handed out",
                    Judge.TEST,
                    "ResumeTests.releaseDuringDetachLeavesNoToken",
                    "LeaseValidity.java",
                    "        handedOut = state == LeaseState.DETACHED;",
                    "        handedOut = true;"),
            Mutant.of(
                    "a fence accepts the previous holder in a row of a later format",
                    Judge.TEST,
                    "dynamodb.FencingTests.transactionIsRejectedAfterTakeoverByLaterVersion",
                    "dynamodb/Fencing.java",
                    "+ LockExpressions.KNOWN_FORMAT",
                    "+ LockExpressions.KNOWN_FORMAT.replace(\"AND\", \"AND (#format > :format OR\") + \")\""),
            Mutant.of(
                    "a row of a later format is taken over",
                    Judge.TEST,
                    "LaterFormatTests.rowsOfLaterFormatAreNeverTakenOver",
                    "dynamodb/DatedUpdate.java",
                    "condition + LockExpressions.KNOWN_FORMAT",
                    "condition + LockExpressions.KNOWN_FORMAT.replace(\"AND\", \"AND (#format > :format OR\") + \")\""),
            Mutant.of(
                    "a late acquire replaces a row of a later format",
                    Judge.EXPLORER,
                    "invariant 5 in scope: a later version beside this one",
                    "memory/Rows.java",
                    "return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf(), open);",
                    "return isBelow(row.tokenFloor(), write.token()) && allows(row, write.onlyIf(), open);"),
            Mutant.of(
                    "an undo raises the floor of a row of a later format",
                    Judge.EXPLORER,
                    "invariant 5 in scope: a later version beside this one",
                    "memory/Rows.java",
                    "return !row.laterFormat() && isBelow(row.tokenFloor(), write.token()) && !row.isHeldBy(write.leaseId());",
                    "return isBelow(row.tokenFloor(), write.token()) && !row.isHeldBy(write.leaseId());"),
            Mutant.of(
                    "observations keep all attributes of a row",
                    Judge.TEST,
                    "ObservationsTests.ignoresAttributesBesideTheLease",
                    "Observations.java",
                    "LockRow kept = row.withoutDetails();",
                    "LockRow kept = row;"),
            Mutant.of(
                    "a corrupt row never counts as unchanged",
                    Judge.TEST,
                    "CorruptRowTests.corruptRowIsObservedForDefaultLeaseWithoutStoreTime",
                    "dynamodb/Stamp.java",
                    "length(stamp.leaseId) + length(stamp.renewals) > LONGEST ?",
                    "length(stamp.leaseId) + length(stamp.renewals) > 0 ?"),
            Mutant.of(
                    "control characters are accepted",
                    Judge.TEST,
                    "LockNamesTests.rejectsCharactersThatForgeOrHideText",
                    "Texts.java",
                    "case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;",
                    "case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;"),
            Mutant.of(
                    "an empty key of metadata is accepted",
                    Judge.TEST,
                    "TextsTests.emptyKeyOfMetadataIsRejected",
                    "Texts.java",
                    "metadata.containsKey(\"\")",
                    "metadata.isEmpty()"),
            Mutant.of(
                    "half of a character is accepted",
                    Judge.TEST,
                    "TextsTests.textWithHalfOfCharacterIsRejected",
                    "Texts.java",
                    "            if (isUnpaired(text, i)) {",
                    "            if (i < 0) {"),
            Mutant.of(
                    "texts of a row are shown unescaped",
                    Judge.TEST,
                    "HostileTextTests.displayedTextHasNoControlCharacterOrLeaseId",
                    "LockRow.java",
                    "owner = Texts.shownOrNull(owner);\n        metadata = Map.copyOf(Texts.shown(metadata));",
                    "metadata = Map.copyOf(metadata);"),
            Mutant.of(
                    "a process whose clock is off by decades resumes a lease",
                    Judge.TEST,
                    "ResumeTests.clockOffByDecadesPreventsResumeFreeAndAcquire",
                    "Resumption.java",
                    "if (!FencingTokens.canPropose(context.clock.now())) {",
                    "if (token == null) {"),
            Mutant.of(
                    "metadata keys of a row are shown unescaped",
                    Judge.TEST,
                    "HostileTextTests.displayedTextHasNoControlCharacterOrLeaseId",
                    "Texts.java",
                    "shown.put(escaped(entry.getKey()), escaped(entry.getValue()));",
                    "shown.put(entry.getKey(), escaped(entry.getValue()));"),
            Mutant.of(
                    "a manager without a key resumes by signed tokens",
                    Judge.TEST,
                    "ResumeTests.signedTokenRequiresItsKey",
                    "LeaseToken.java",
                    "if (key == null && isSigned()) {",
                    "if (key == null && check.isEmpty()) {"),
            Mutant.of(
                    "a copy of a request drops its loss policy",
                    Judge.TEST,
                    "LockRequestTests.eachMethodKeepsOtherOptions",
                    "RequestValues.java",
                    "            return (RequestValues) clone();",
                    "            RequestValues copy = (RequestValues) clone();\n            copy.onLost = OnLost.DEFAULT;\n            return copy;"),
            Mutant.of(
                    "a copy of settings drops the timeout of the first response",
                    Judge.TEST,
                    "LockSettingsTests.firstResponseTimeoutIsLongerWithinCallTimeout",
                    "SettingsValues.java",
                    "            return (SettingsValues) clone();",
                    "            SettingsValues copy = (SettingsValues) clone();\n            copy.firstResponseTimeout = null;\n            return copy;"),
            Mutant.of(
                    "a request's lease duration is not validated before its acquisition",
                    Judge.TEST,
                    "LockSettingsTests.rejectsRequestsThatCanNeverSucceed",
                    "LockSettings.java",
                    "        request.names().forEach(prefixed::toStored);\n        leaseOf(request);",
                    "        request.names().forEach(prefixed::toStored);"),
            Mutant.of(
                    "a call timeout below that of an attempt is ignored",
                    Judge.TEST,
                    "StuckCallersTests.callTimeoutBelowThatOfAnAttemptIsKept",
                    "LockSettings.java",
                    "return atLeastOneMilli(Durations.min(callTimeout(), leaseDuration));",
                    "return Durations.max(callTimeout(), attemptTimeoutFor(leaseDuration));"),
            Mutant.of(
                    "the release of a lost lease outlasts the call timeout",
                    Judge.TEST,
                    "StuckCallersTests.callTimeoutBelowThatOfAnAttemptIsKept",
                    "LeaseRelease.java",
                    "context.onlyAttemptTimeout(grant.leaseDuration())",
                    "context.settings.attemptTimeoutFor(grant.leaseDuration())"),
            Mutant.of(
                    "a release waits for a renewal beyond the call timeout",
                    Judge.TEST,
                    "StuckCallersTests.releaseAwaitsNoRenewalBeyondTheCallTimeout",
                    "LeaseRenewal.java",
                    "context.onlyAttemptTimeout(status.duration())",
                    "context.settings.attemptTimeoutFor(status.duration())"),
            Mutant.of(
                    "delays below a millisecond are none",
                    Judge.TEST,
                    "RetryPolicyTests.delaysBelowOneMillisecondGrowAsWell",
                    "ExponentialBackoff.java",
                    "(double) baseDelay.toNanos()",
                    "(double) (baseDelay.toMillis() * 1_000_000)"),
            Mutant.of(
                    "a corrupt row that becomes closed is not reported again",
                    Judge.TEST,
                    "CorruptRowTests.rowThatClosesByExpiryIsReportedAgain",
                    "CorruptRowWarnings.java",
                    "attributes.equals(other.attributes)\n                    && (closed || !other.closed);",
                    "attributes.equals(other.attributes);"),
            Mutant.of(
                    "a forced release claims what others have freed",
                    Judge.TEST,
                    "ForceFreeTests.doesNotClaimWhatOthersFreedMeanwhile",
                    "ConditionFailures.java",
                    "observed.leaseId().equals(row.lastLeaseId())",
                    "row.lastLeaseId() != null"),
            Mutant.of(
                    "a revoked lease is shown like any other",
                    Judge.TEST,
                    "LockStateTests.revokedLeaseIsShownUntilItEnds",
                    "LockState.java",
                    "!free && row.revoked(),",
                    "false,"),
            Mutant.of(
                    "a floor that closes a row is shown as a token",
                    Judge.TEST,
                    "LockStateTests.lockThatNobodyCanAcquireIsShownAsClosedWithItsLastToken",
                    "LockRow.java",
                    "if (!isClosed()) {",
                    "if (highestToken() > 0) {"));

    private TrustMutants() {}
}
