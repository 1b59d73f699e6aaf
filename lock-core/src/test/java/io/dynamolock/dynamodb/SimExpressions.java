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

/**
 * The expressions of one request, parsed once for all requests that have the same.
 *
 * @param update what it does
 * @param condition when
 * @param placeholders all that the expressions use
 */
record SimExpressions(SimUpdate update, SimCondition condition, Set<String> placeholders) {

    /** Refuses what is not valid for any item. */
    void check(SimPlaceholders given) {
        given.check(placeholders);
        SimScope nothing = new SimScope(Map.of(), given);
        update.check(nothing);
        condition.check(nothing);
    }

    /** Parses each pair of expressions once. */
    static final class Cache {

        private final Map<@Nullable String, Map<@Nullable String, SimExpressions>> plans = new HashMap<>();

        SimExpressions plan(@Nullable String update, @Nullable String condition) {
            Map<@Nullable String, SimExpressions> ofUpdate = plans.computeIfAbsent(update, text -> new HashMap<>());
            SimExpressions plan = ofUpdate.get(condition);
            if (plan == null) {
                plan = parse(update, condition);
                ofUpdate.put(condition, plan);
            }
            return plan;
        }

        private static SimExpressions parse(@Nullable String updateText, @Nullable String conditionText) {
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
            return new SimExpressions(update, condition, Set.copyOf(placeholders));
        }
    }
}
