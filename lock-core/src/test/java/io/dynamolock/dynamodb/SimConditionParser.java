/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a condition expression. What the library never writes, such as {@code BETWEEN}, is not known. */
final class SimConditionParser {

    private static final Set<String> FUNCTIONS = Set.of("attribute_exists", "attribute_not_exists", "attribute_type");

    private final SimParser parser;
    private @Nullable SimCondition parenthesised;

    private SimConditionParser(SimParser parser) {
        this.parser = parser;
    }

    static SimCondition parse(SimParser parser) {
        SimCondition condition = new SimConditionParser(parser).disjunction();
        parser.expectEnd();
        return condition;
    }

    private SimCondition disjunction() {
        SimCondition condition = conjunction();
        while (parser.skipKeyword("OR")) {
            condition = new SimCondition.Or(condition, conjunction());
        }
        return condition;
    }

    private SimCondition conjunction() {
        SimCondition condition = negation();
        while (parser.skipKeyword("AND")) {
            condition = new SimCondition.And(condition, negation());
        }
        return condition;
    }

    private SimCondition negation() {
        return parser.skipKeyword("NOT") ? new SimCondition.Not(negation()) : primary();
    }

    private SimCondition primary() {
        if (parser.skip("(")) {
            return inParentheses();
        }
        return parser.peek().kind() == SimToken.Kind.WORD ? function() : comparison();
    }

    private SimCondition inParentheses() {
        SimCondition condition = disjunction();
        parser.expect(")");
        if (condition == parenthesised) {
            throw SimErrors.validation("Invalid ConditionExpression: The expression has redundant parentheses");
        }
        parenthesised = condition;
        return condition;
    }

    private SimCondition function() {
        String name = parser.take().text();
        if (!FUNCTIONS.contains(name)) {
            throw new UnsupportedOperationException("The function " + name);
        }
        parser.expect("(");
        SimOperand.Attribute attribute = parser.attribute();
        SimCondition condition = name.equals("attribute_type")
                ? type(attribute)
                : new SimCondition.Exists(attribute, name.equals("attribute_exists"));
        parser.expect(")");
        return condition;
    }

    private SimCondition type(SimOperand.Attribute attribute) {
        parser.expect(",");
        return new SimCondition.HasType(attribute, parser.literal());
    }

    private SimCondition comparison() {
        SimOperand left = parser.operand();
        SimComparator comparator = SimComparator.of(parser.peek());
        if (parser.peek().isKeyword("BETWEEN") || parser.peek().isKeyword("IN")) {
            throw new UnsupportedOperationException(parser.peek().text());
        }
        if (comparator == null) {
            throw parser.syntaxError();
        }
        parser.take();
        return new SimCondition.Comparison(comparator, left, parser.operand());
    }
}
