/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads an update expression. What the library never writes, such as {@code ADD}, is not known. */
final class FakeUpdateParser {

    private final FakeParser parser;
    private final List<FakeUpdate.Assignment> sets = new ArrayList<>();
    private final List<FakeOperand.Attribute> removals = new ArrayList<>();

    private FakeUpdateParser(FakeParser parser) {
        this.parser = parser;
    }

    static FakeUpdate parse(FakeParser parser) {
        FakeUpdateParser update = new FakeUpdateParser(parser);
        update.clauses();
        return new FakeUpdate(List.copyOf(update.sets), List.copyOf(update.removals));
    }

    private void clauses() {
        Set<String> seen = new HashSet<>();
        do {
            if (parser.peek().kind() != FakeToken.Kind.WORD) {
                throw parser.syntaxError();
            }
            String clause = parser.take().text().toUpperCase(Locale.ROOT);
            if (!seen.add(clause)) {
                throw FakeErrors.validation(
                        "Invalid UpdateExpression: The \"" + clause + "\" section can only be used once");
            }
            clause(clause);
        } while (parser.peek().kind() != FakeToken.Kind.END);
    }

    private void clause(String clause) {
        do {
            switch (clause) {
                case "SET" -> sets.add(assignment());
                case "REMOVE" -> removals.add(parser.attribute());
                case "ADD", "DELETE" -> throw new UnsupportedOperationException("The section " + clause);
                default -> throw parser.syntaxError();
            }
        } while (parser.skip(","));
    }

    private FakeUpdate.Assignment assignment() {
        FakeOperand.Attribute target = parser.attribute();
        parser.expect("=");
        FakeOperand value = operand();
        if (parser.skip("+")) {
            value = new FakeOperand.Sum(value, operand(), false);
        } else if (parser.skip("-")) {
            value = new FakeOperand.Sum(value, operand(), true);
        }
        return new FakeUpdate.Assignment(target, value);
    }

    private FakeOperand operand() {
        FakeToken next = parser.peek();
        if (next.kind() != FakeToken.Kind.WORD || next.isReserved() || next.isAttribute()) {
            return parser.operand();
        }
        String function = parser.take().text();
        if (!function.equals("if_not_exists")) {
            throw new UnsupportedOperationException("The function " + function);
        }
        parser.expect("(");
        FakeOperand.Attribute attribute = parser.attribute();
        parser.expect(",");
        FakeOperand otherwise = operand();
        parser.expect(")");
        return new FakeOperand.IfNotExists(attribute, otherwise);
    }
}
