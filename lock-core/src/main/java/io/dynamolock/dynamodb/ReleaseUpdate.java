/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LastHold;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The two forms of a release: with and without a record of the hold. */
record ReleaseUpdate(DatedUpdate recording, DatedUpdate plain) {

    private static final String RECORD = ", #lastOwner = :lastOwner, #lastEndedAt = :lastEndedAt,"
            + " #lastHeldMillis = :lastHeldMillis, #lastFailed = :lastFailed";

    /** A release whose update is to set and to remove something. */
    static ReleaseUpdate of(TableLayout layout, String set, String remove, String condition) {
        return new ReleaseUpdate(
                DatedUpdate.of(layout, set + RECORD + remove, condition, ReturnValue.NONE),
                DatedUpdate.of(layout, set + remove, condition, ReturnValue.NONE));
    }

    UpdateItemRequest.Builder request(
            Map<String, AttributeValue> key, Map<String, AttributeValue> values, @Nullable LastHold hold) {
        if (hold == null) {
            return plain.request(key, values);
        }
        values.put(":lastOwner", AttributeValue.fromS(hold.owner() == null ? "" : hold.owner()));
        values.put(
                ":lastEndedAt",
                AttributeValue.fromN(Long.toString(hold.endedAt().toEpochMilli())));
        values.put(
                ":lastHeldMillis",
                AttributeValue.fromN(Long.toString(
                        Objects.requireNonNull(hold.duration(), "duration").toMillis())));
        values.put(":lastFailed", AttributeValue.fromBool(hold.failed()));
        return recording.request(key, values);
    }
}
