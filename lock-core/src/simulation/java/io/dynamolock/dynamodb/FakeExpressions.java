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
record FakeExpressions(FakeUpdate update, FakeCondition condition, Set<String> placeholders) {

    /** Rejects what is not valid for any item. */
    void check(FakePlaceholders given) {
        given.check(placeholders);
        FakeScope nothing = new FakeScope(Map.of(), given);
        update.check(nothing);
        condition.check(nothing);
    }

    /** Parses each pair of expressions once. */
    static final class Cache {

        private final Map<@Nullable String, Map<@Nullable String, FakeExpressions>> plans = new HashMap<>();

        FakeExpressions plan(@Nullable String update, @Nullable String condition) {
            Map<@Nullable String, FakeExpressions> ofUpdate = plans.computeIfAbsent(update, text -> new HashMap<>());
            FakeExpressions plan = ofUpdate.get(condition);
            if (plan == null) {
                plan = parse(update, condition);
                ofUpdate.put(condition, plan);
            }
            return plan;
        }

        private static FakeExpressions parse(@Nullable String updateText, @Nullable String conditionText) {
            Set<String> placeholders = new HashSet<>();
            FakeUpdate update = FakeUpdate.NONE;
            FakeCondition condition = FakeCondition.NONE;
            if (updateText != null) {
                FakeParser parser = new FakeParser(updateText);
                update = FakeUpdateParser.parse(parser);
                placeholders.addAll(parser.placeholders());
            }
            if (conditionText != null) {
                FakeParser parser = new FakeParser(conditionText);
                condition = FakeConditionParser.parse(parser);
                placeholders.addAll(parser.placeholders());
            }
            return new FakeExpressions(update, condition, Set.copyOf(placeholders));
        }
    }
}
