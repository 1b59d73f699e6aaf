/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.TurnClaim;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Builds the conditional requests of claims on the next turn. */
final class ClaimExpressions {

    /** No claim, or a junior one: the texts of claims are ordered by seniority. */
    private static final String CLAIMABLE = "attribute_exists(#leaseId) AND NOT #claim <= :claim";

    private static final String CLAIMED = "#claim = :claim";

    private final TableLayout layout;
    private final UpdateTemplate claim;
    private final UpdateTemplate withdrawal;

    ClaimExpressions(TableLayout layout) {
        this.layout = layout;
        this.claim = template("SET #claim = :claim", CLAIMABLE);
        this.withdrawal = template("REMOVE #claim", CLAIMED);
    }

    private UpdateTemplate template(String update, String condition) {
        return new UpdateTemplate(layout, update, condition + LockExpressions.KNOWN_FORMAT, ReturnValue.NONE);
    }

    UpdateItemRequest.Builder claim(Claim write) {
        return claim.request(layout.key(write.name()), values(write.claim()));
    }

    UpdateItemRequest.Builder withdraw(WithdrawClaim write) {
        return withdrawal.request(layout.key(write.name()), values(write.claim()));
    }

    private static Map<String, AttributeValue> values(TurnClaim claim) {
        return Map.of(":claim", fromS(claim.text()), ":format", LockExpressions.FORMAT);
    }
}
