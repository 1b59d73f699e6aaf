/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The two forms of a write: with and without a known time of the store, which the TTL is derived from. */
record DatedUpdate(UpdateTemplate withTtl, UpdateTemplate withoutTtl) {

    /** A write that sets the TTL, and removes an old one if the time is unknown: the lease may outlast it. */
    static DatedUpdate of(TableLayout layout, String update, String condition, ReturnValue returned) {
        return of(layout, update, withoutTtl(update), condition, returned);
    }

    /** A write with a form of its own for an unknown time. */
    static DatedUpdate of(
            TableLayout layout, String update, String updateWithoutTtl, String condition, ReturnValue returned) {
        String known = condition + LockExpressions.KNOWN_FORMAT;
        return new DatedUpdate(
                new UpdateTemplate(layout, update, known, returned),
                new UpdateTemplate(layout, updateWithoutTtl, known, returned));
    }

    private static String withoutTtl(String update) {
        String rest = update.replace(", #ttl = :ttl", "");
        return rest + (rest.contains(" REMOVE ") ? ", #ttl" : " REMOVE #ttl");
    }

    UpdateItemRequest.Builder request(Map<String, AttributeValue> key, Map<String, AttributeValue> values) {
        values.put(":format", LockExpressions.FORMAT);
        return (values.containsKey(":ttl") ? withTtl : withoutTtl).request(key, values);
    }
}
