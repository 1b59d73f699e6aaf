/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The expressions of one request, parsed once for all requests that have the same.
 *
 * @param update what it does
 * @param condition when
 * @param placeholders all that the expressions use
 */
record SimPlan(SimUpdate update, SimCondition condition, Set<String> placeholders) {

    /** The scope for these expressions. Refuses a placeholder that is not given, and a given one that is not used. */
    SimScope scope(Map<String, AttributeValue> item, Map<String, String> names, Map<String, AttributeValue> values) {
        for (String placeholder : placeholders) {
            if (!names.containsKey(placeholder) && !values.containsKey(placeholder)) {
                throw SimErrors.validation("Invalid expression: not defined; placeholder: " + placeholder);
            }
        }
        if (placeholders.size() < names.size() + values.size()) {
            throw SimErrors.validation("Value provided in ExpressionAttributeNames or Values unused in expressions");
        }
        return new SimScope(item, names, values);
    }

    /** Parses each pair of expressions once. */
    static final class Cache {

        private final Map<@Nullable String, Map<@Nullable String, SimPlan>> plans = new HashMap<>();

        SimPlan plan(@Nullable String update, @Nullable String condition) {
            Map<@Nullable String, SimPlan> ofUpdate = plans.computeIfAbsent(update, text -> new HashMap<>());
            SimPlan plan = ofUpdate.get(condition);
            if (plan == null) {
                plan = parse(update, condition);
                ofUpdate.put(condition, plan);
            }
            return plan;
        }

        private static SimPlan parse(@Nullable String updateText, @Nullable String conditionText) {
            Set<String> placeholders = new HashSet<>();
            SimUpdate update = SimUpdate.NONE;
            SimCondition condition = SimCondition.NONE;
            if (updateText != null) {
                SimParser parser = new SimParser(updateText);
                update = SimUpdateParser.parse(parser);
                placeholders.addAll(parser.placeholders());
            }
            if (conditionText != null) {
                SimParser parser = new SimParser(conditionText);
                condition = SimConditionParser.parse(parser);
                placeholders.addAll(parser.placeholders());
            }
            return new SimPlan(update, condition, Set.copyOf(placeholders));
        }
    }
}
