/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a condition expression. What the library never writes, such as {@code BETWEEN}, is not known. */
final class FakeConditionParser {

    private static final Set<String> FUNCTIONS = Set.of("attribute_exists", "attribute_not_exists", "attribute_type");

    private final FakeParser parser;
    private @Nullable FakeCondition parenthesized;

    private FakeConditionParser(FakeParser parser) {
        this.parser = parser;
    }

    static FakeCondition parse(FakeParser parser) {
        FakeCondition condition = new FakeConditionParser(parser).disjunction();
        parser.expectEnd();
        return condition;
    }

    private FakeCondition disjunction() {
        FakeCondition condition = conjunction();
        while (parser.skipKeyword("OR")) {
            condition = new FakeCondition.Or(condition, conjunction());
        }
        return condition;
    }

    private FakeCondition conjunction() {
        FakeCondition condition = negation();
        while (parser.skipKeyword("AND")) {
            condition = new FakeCondition.And(condition, negation());
        }
        return condition;
    }

    private FakeCondition negation() {
        return parser.skipKeyword("NOT") ? new FakeCondition.Not(negation()) : primary();
    }

    private FakeCondition primary() {
        if (parser.skip("(")) {
            return inParentheses();
        }
        FakeToken next = parser.peek();
        return next.kind() == FakeToken.Kind.WORD && !next.isAttribute() ? function() : comparison();
    }

    private FakeCondition inParentheses() {
        FakeCondition condition = disjunction();
        parser.expect(")");
        if (condition == parenthesized) {
            throw FakeErrors.validation("Invalid ConditionExpression: The expression has redundant parentheses");
        }
        parenthesized = condition;
        return condition;
    }

    private FakeCondition function() {
        String name = parser.take().text();
        if (!FUNCTIONS.contains(name)) {
            throw new UnsupportedOperationException("The function " + name);
        }
        parser.expect("(");
        FakeOperand.Attribute attribute = parser.attribute();
        FakeCondition condition = name.equals("attribute_type")
                ? type(attribute)
                : new FakeCondition.Exists(attribute, name.equals("attribute_exists"));
        parser.expect(")");
        return condition;
    }

    private FakeCondition type(FakeOperand.Attribute attribute) {
        parser.expect(",");
        return new FakeCondition.HasType(attribute, parser.literal());
    }

    private FakeCondition comparison() {
        FakeOperand left = parser.operand();
        FakeComparator comparator = FakeComparator.of(parser.peek());
        if (parser.peek().isKeyword("BETWEEN") || parser.peek().isKeyword("IN")) {
            throw new UnsupportedOperationException(parser.peek().text());
        }
        if (comparator == null) {
            throw parser.syntaxError();
        }
        parser.take();
        return new FakeCondition.Comparison(comparator, left, parser.operand());
    }
}
