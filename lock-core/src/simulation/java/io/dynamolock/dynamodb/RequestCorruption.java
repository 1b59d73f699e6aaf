/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** A defect of a request that a faulty template could produce. */
final class RequestCorruption {

    private static final List<AttributeValue> NO_VALUES = List.of(
            fromN(""),
            fromN("one"),
            fromN("1".repeat(39)),
            fromN("1e126"),
            fromN("1e-131"),
            AttributeValue.builder().build(),
            AttributeValue.fromNul(false),
            AttributeValue.fromSs(List.of()),
            AttributeValue.fromSs(List.of("a", "a")),
            AttributeValue.fromM(Map.of("n", fromN("x"))));

    private static final List<String> MORE_CHANGES = List.of(
            " SET #owner = :v0",
            " REMOVE #owner",
            ", #owner",
            ", #owner = :v0",
            ", #key = :v0",
            " REMOVE #key",
            " REMOVE #owner, #owner");

    private final TableLayout layout;
    private final RandomValues values;

    RequestCorruption(TableLayout layout, RandomValues values) {
        this.layout = layout;
        this.values = values;
    }

    void corruption(UpdateItemRequest.Builder builder) {
        UpdateItemRequest request = builder.build();
        Map<String, String> names = request.expressionAttributeNames();
        Map<String, AttributeValue> given = request.expressionAttributeValues();
        switch (values.below(11)) {
            case 0 -> builder.expressionAttributeNames(withoutOne(names));
            case 1 -> builder.expressionAttributeValues(withoutOne(given));
            case 2 -> builder.expressionAttributeNames(with(names, "#unused", "unused"));
            case 3 -> builder.expressionAttributeValues(with(given, ":unused", values.any()));
            case 4 -> builder.expressionAttributeValues(with(given, ":v0", values.oneOf(NO_VALUES)));
            case 5 -> builder.key(key());
            case 6 -> builder.updateExpression(withoutOneWord(textOf(request.updateExpression())));
            case 7 -> builder.conditionExpression(withoutOneWord(textOf(request.conditionExpression())));
            case 8 -> builder.conditionExpression("((" + textOf(request.conditionExpression()) + "))");
            case 9 -> builder.tableName("no-such-table");
            default -> changeMore(builder, request);
        }
    }

    private void changeMore(UpdateItemRequest.Builder builder, UpdateItemRequest request) {
        String more = values.oneOf(MORE_CHANGES);
        builder.updateExpression(textOf(request.updateExpression()) + more);
        String name = more.contains("#key") ? layout.partitionKey() : "owner";
        builder.expressionAttributeNames(
                with(request.expressionAttributeNames(), more.contains("#key") ? "#key" : "#owner", name));
    }

    private Map<String, AttributeValue> key() {
        Map<String, AttributeValue> key = layout.key(values.name());
        return switch (values.below(7)) {
            case 0 -> Map.of();
            case 1 -> Map.of("other", fromS("lock-1"));
            case 2 -> with(key, layout.partitionKey(), fromS(""));
            case 3 -> with(key, layout.partitionKey(), fromN("1"));
            case 4 -> with(key, "other", fromS("1"));
            case 5 -> with(key, layout.partitionKey(), fromS("x".repeat(2049)));
            default -> with(key, layout.partitionKey(), fromS("\u00e9".repeat(1025)));
        };
    }

    private <V> Map<String, V> withoutOne(Map<String, V> map) {
        Map<String, V> rest = new HashMap<>(map);
        map.keySet().stream()
                .sorted()
                .skip(values.below(map.size() + 1))
                .findFirst()
                .ifPresent(rest::remove);
        return rest;
    }

    private static <V> Map<String, V> with(Map<String, V> map, String name, V value) {
        Map<String, V> more = new HashMap<>(map);
        more.put(name, value);
        return more;
    }

    private String withoutOneWord(String text) {
        List<String> words = new ArrayList<>(List.of(text.split("(?=[#:(),])|(?<=[(,]) *| +")));
        words.remove(values.below(words.size()));
        return String.join(" ", words);
    }

    private static String textOf(@Nullable String expression) {
        return expression == null ? "" : expression;
    }
}
