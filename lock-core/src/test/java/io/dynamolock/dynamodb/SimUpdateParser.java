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
final class SimUpdateParser {

    private final SimParser parser;
    private final List<SimUpdate.Assignment> sets = new ArrayList<>();
    private final List<SimOperand.Attribute> removals = new ArrayList<>();

    private SimUpdateParser(SimParser parser) {
        this.parser = parser;
    }

    static SimUpdate parse(SimParser parser) {
        SimUpdateParser update = new SimUpdateParser(parser);
        update.clauses();
        return new SimUpdate(List.copyOf(update.sets), List.copyOf(update.removals));
    }

    private void clauses() {
        Set<String> seen = new HashSet<>();
        do {
            if (parser.peek().kind() != SimToken.Kind.WORD) {
                throw parser.syntaxError();
            }
            String clause = parser.take().text().toUpperCase(Locale.ROOT);
            if (!seen.add(clause)) {
                throw SimErrors.validation(
                        "Invalid UpdateExpression: The \"" + clause + "\" section can only be used once");
            }
            clause(clause);
        } while (parser.peek().kind() != SimToken.Kind.END);
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

    private SimUpdate.Assignment assignment() {
        SimOperand.Attribute target = parser.attribute();
        parser.expect("=");
        SimOperand value = operand();
        if (parser.skip("+")) {
            value = new SimOperand.Sum(value, operand(), false);
        } else if (parser.skip("-")) {
            value = new SimOperand.Sum(value, operand(), true);
        }
        return new SimUpdate.Assignment(target, value);
    }

    private SimOperand operand() {
        if (parser.peek().kind() != SimToken.Kind.WORD || parser.peek().isReserved()) {
            return parser.operand();
        }
        String function = parser.take().text();
        if (!function.equals("if_not_exists")) {
            throw new UnsupportedOperationException("The function " + function);
        }
        parser.expect("(");
        SimOperand.Attribute attribute = parser.attribute();
        parser.expect(",");
        SimOperand otherwise = operand();
        parser.expect(")");
        return new SimOperand.IfNotExists(attribute, otherwise);
    }
}
