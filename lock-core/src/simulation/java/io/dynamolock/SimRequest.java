/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The purpose of a request, derived from its values.
 *
 * @param kind its kind
 * @param name the lock
 * @param leaseId the lease that it is about; empty for a read
 * @param owner who acquires; empty if it does not acquire
 * @param token the token that it proposes or uses up; 0 if none
 * @param leaseMillis how long the lease is to last; 0 if it says nothing
 * @param number the number of a renewal; 0 for another request
 * @param observed whether others count its lease from when they see it
 */
record SimRequest(
        Kind kind,
        String name,
        String leaseId,
        String owner,
        long token,
        long leaseMillis,
        long number,
        boolean observed) {

    enum Kind {
        ACQUIRE,
        TAKE_OVER_STILL,
        RESUME,
        RENEW,
        RELEASE,
        REST,
        RAISE_FLOOR,
        CLAIM,
        REVOKE,
        FORCE_FREE,
        READ,
        TRANSACTION
    }

    static SimRequest of(DynamoDbRequest request) {
        if (request instanceof UpdateItemRequest update) {
            return of(update);
        }
        if (request instanceof GetItemRequest get) {
            return new SimRequest(Kind.READ, text(get.key(), SimNet.KEY), "", "", 0, 0, 0, false);
        }
        return new SimRequest(Kind.TRANSACTION, "", "", "", 0, 0, 0, false);
    }

    private static SimRequest of(UpdateItemRequest update) {
        Map<String, AttributeValue> values = update.expressionAttributeValues();
        return new SimRequest(
                kind(values, update.conditionExpression()),
                text(update.key(), SimNet.KEY),
                text(values, ":leaseId"),
                text(values, ":owner"),
                number(values, ":token"),
                number(values, ":leaseMillis"),
                number(values, ":renewals"),
                text(values, ":clock").equals(LeaseTime.OBSERVED.code()));
    }

    private static Kind kind(Map<String, AttributeValue> values, String condition) {
        if (values.containsKey(":owner")) {
            boolean resumes = condition.contains("detached");
            return resumes ? Kind.RESUME : values.containsKey(":seenId") ? Kind.TAKE_OVER_STILL : Kind.ACQUIRE;
        }
        if (values.containsKey(":claim")) {
            return Kind.CLAIM;
        }
        if (values.containsKey(":floor")) {
            return Kind.FORCE_FREE;
        }
        if (values.containsKey(":token")) {
            return Kind.RAISE_FLOOR;
        }
        if (values.containsKey(":leaseMillis")) {
            return number(values, ":renewals") >= LockWrite.Rest.FIRST ? Kind.REST : Kind.RENEW;
        }
        return values.containsKey(":true") ? Kind.REVOKE : Kind.RELEASE;
    }

    /** Empty if there is no such text. */
    static String text(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        return value == null || value.s() == null ? "" : value.s();
    }

    private static long number(Map<String, AttributeValue> values, String name) {
        AttributeValue value = values.get(name);
        return value == null ? 0 : Long.parseLong(value.n());
    }

    boolean acquires() {
        return kind == Kind.ACQUIRE || kind == Kind.TAKE_OVER_STILL || kind == Kind.RESUME;
    }

    String text() {
        return kind + " " + name + (leaseId.isEmpty() ? "" : " " + leaseId) + (token == 0 ? "" : " token " + token);
    }
}
