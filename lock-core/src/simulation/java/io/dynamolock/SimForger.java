/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromBool;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromM;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Manual changes of a lock's row. */
final class SimForger {

    private record Forgery(String attribute, AttributeValue value) {}

    private static final List<Forgery> FORGERIES = List.of(
            new Forgery("tokenFloor", fromN("9007199254740991")),
            new Forgery("tokenFloor", fromN("9223372036854775807")),
            new Forgery("tokenFloor", fromN("1E125")),
            new Forgery("tokenFloor", fromS("none")),
            new Forgery("fencingToken", fromN("9223372036854775806")),
            new Forgery("fencingToken", fromN("1.5")),
            new Forgery("renewals", fromN("1.5")),
            new Forgery("renewals", fromN("1E125")),
            new Forgery("renewals", fromS("many")),
            new Forgery("leaseId", fromN("7")),
            new Forgery("leaseId", fromS("forged\n")),
            new Forgery("expiresAt", fromN("9007199254740991")),
            new Forgery("expiresAt", fromN("-9223372036854775808")),
            new Forgery("leaseMillis", fromN("9007199254740991")),
            new Forgery("leaseMillis", fromN("-1")),
            new Forgery("clock", fromS("?")),
            new Forgery("owner", fromS("a\nb\u001b[2K")),
            new Forgery("metadata", fromM(Map.of("a\n", fromM(Map.of())))),
            new Forgery("revoked", fromS("no")),
            new Forgery("detached", fromBool(true)),
            new Forgery("format", fromS("2")),
            new Forgery("format", fromN("2")));

    private SimForger() {}

    static Map<String, AttributeValue> forged(Map<String, AttributeValue> row, SplittableRandom chance) {
        Map<String, AttributeValue> forged = new HashMap<>(row);
        for (int i = 1 + chance.nextInt(3); i > 0; i--) {
            Forgery one = FORGERIES.get(chance.nextInt(FORGERIES.size()));
            forged.put(one.attribute(), one.value());
        }
        return forged;
    }

    /** Returns whether a later version of the library wrote the row. */
    static boolean isLater(Map<String, AttributeValue> row) {
        AttributeValue format = row.get("format");
        return format != null && format.n() != null;
    }

    /** Returns a row of a later version after its release. */
    static Map<String, AttributeValue> released(Map<String, AttributeValue> row) {
        Map<String, AttributeValue> free = new HashMap<>(row);
        free.keySet().removeAll(List.of("format", "leaseId"));
        return free;
    }
}
