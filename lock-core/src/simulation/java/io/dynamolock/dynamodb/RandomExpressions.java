/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The expressions of one request, and the placeholders that they use. */
final class RandomExpressions {

    private static final List<String> ATTRIBUTES = List.of(
            "leaseId", "owner", "tokenFloor", "expiresAt", "renewals", "clock", "metadata", "revoked", "note", "count");
    private static final List<String> COMPARATORS = List.of("=", "<>", "<", "<=", ">", ">=");
    private static final List<String> TYPES = List.of("S", "N", "B", "SS", "NS", "M", "L", "BOOL", "NULL");

    private final TableLayout layout;
    private final Map<String, AttributeValue> row;
    private final RandomValues values;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> given = new HashMap<>();

    /** Some conditions are about what is in the row. */
    RandomExpressions(TableLayout layout, Map<String, AttributeValue> row, RandomValues values) {
        this.layout = layout;
        this.row = row;
        this.values = values;
    }

    void addPlaceholdersTo(UpdateItemRequest.Builder request) {
        if (!names.isEmpty()) {
            request.expressionAttributeNames(names);
        }
        if (!given.isEmpty()) {
            request.expressionAttributeValues(given);
        }
    }

    String condition(int depth) {
        if (depth == 0 || values.inPercent(25)) {
            return leaf();
        }
        return switch (values.below(4)) {
            case 0 -> condition(depth - 1) + " AND " + condition(depth - 1);
            case 1 -> condition(depth - 1) + " OR " + condition(depth - 1);
            case 2 -> "NOT " + condition(depth - 1);
            default -> "(" + condition(depth - 1) + ")";
        };
    }

    private String leaf() {
        return switch (values.below(8)) {
            case 0 -> "attribute_exists(" + anyName() + ")";
            case 1, 2 -> "attribute_not_exists(" + anyName() + ")";
            case 3 -> "attribute_type(" + anyName() + ", " + value(AttributeValue.fromS(values.oneOf(TYPES))) + ")";
            case 4 -> anyName() + " " + values.oneOf(COMPARATORS) + " " + anyName();
            case 5, 6 -> anyName() + " " + values.oneOf(COMPARATORS) + " " + value(values.any());
            default -> comparisonWithTheRow();
        };
    }

    private String comparisonWithTheRow() {
        String attribute = values.oneOf(ATTRIBUTES);
        AttributeValue there = row.get(attribute);
        AttributeValue compared = there == null ? values.any() : reversed(there);
        return name(attribute) + " " + values.oneOf(COMPARATORS) + " " + value(compared);
    }

    private static AttributeValue reversed(AttributeValue value) {
        return switch (value.type()) {
            case SS -> AttributeValue.fromSs(reversed(value.ss()));
            case NS -> AttributeValue.fromNs(reversed(value.ns()));
            default -> value;
        };
    }

    private static List<String> reversed(List<String> members) {
        List<String> reversed = new ArrayList<>(members);
        Collections.reverse(reversed);
        return reversed;
    }

    String update() {
        List<String> attributes = new ArrayList<>(ATTRIBUTES);
        List<String> sets = new ArrayList<>();
        for (int count = values.below(4); count > 0; count--) {
            sets.add(name(takeOne(attributes)) + " = " + newValue());
        }
        List<String> removals = new ArrayList<>();
        for (int count = values.below(sets.isEmpty() ? 1 : 3); count > 0; count--) {
            removals.add(name(takeOne(attributes)));
        }
        if (sets.isEmpty() && removals.isEmpty()) {
            sets.add(name(takeOne(attributes)) + " = " + newValue());
        }
        return (clause("SET ", sets) + clause("REMOVE ", removals)).strip();
    }

    private static String clause(String keyword, List<String> parts) {
        return parts.isEmpty() ? "" : keyword + String.join(", ", parts) + " ";
    }

    private String newValue() {
        return switch (values.below(10)) {
            case 0, 1 -> "if_not_exists(" + anyName() + ", " + value(values.any()) + ")";
            case 2 -> anyName();
            case 3 -> anyName() + " + " + value(AttributeValue.fromN("1"));
            case 4 ->
                "if_not_exists(" + anyName() + ", " + value(AttributeValue.fromN("0")) + ") - "
                        + value(AttributeValue.fromN("1.5"));
            default -> value(values.any());
        };
    }

    private String takeOne(List<String> attributes) {
        return values.inPercent(3) ? layout.partitionKey() : attributes.remove(values.below(attributes.size()));
    }

    private String anyName() {
        return values.inPercent(3) ? name(layout.partitionKey()) : name(values.oneOf(ATTRIBUTES));
    }

    private String name(String attribute) {
        names.put("#" + attribute, attribute);
        return "#" + attribute;
    }

    private String value(AttributeValue value) {
        String placeholder = ":v" + given.size();
        given.put(placeholder, value);
        return placeholder;
    }
}
