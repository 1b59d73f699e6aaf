/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What both kinds of expressions have in common: tokens in a row, operands, and which placeholders were used. */
final class SimParser {

    private final List<SimToken> tokens;
    private final Set<String> placeholders = new HashSet<>();
    private int next;

    SimParser(String text) {
        this.tokens = SimLexer.tokens(text);
    }

    Set<String> placeholders() {
        return placeholders;
    }

    SimToken peek() {
        return tokens.get(next);
    }

    SimToken take() {
        SimToken token = peek();
        next++;
        return token;
    }

    boolean skip(String sign) {
        boolean there = peek().is(sign);
        if (there) {
            next++;
        }
        return there;
    }

    boolean skipKeyword(String keyword) {
        boolean there = peek().isKeyword(keyword);
        if (there) {
            next++;
        }
        return there;
    }

    void expect(String sign) {
        if (!skip(sign)) {
            throw syntaxError();
        }
    }

    void expectEnd() {
        if (peek().kind() != SimToken.Kind.END) {
            throw syntaxError();
        }
    }

    SimOperand.Attribute attribute() {
        SimToken token = operandToken(SimToken.Kind.NAME);
        return new SimOperand.Attribute(token.text());
    }

    SimOperand.Literal literal() {
        SimToken token = operandToken(SimToken.Kind.VALUE);
        return new SimOperand.Literal(token.text());
    }

    SimOperand operand() {
        return peek().kind() == SimToken.Kind.VALUE ? literal() : attribute();
    }

    private SimToken operandToken(SimToken.Kind kind) {
        if (peek().kind() == SimToken.Kind.WORD && !peek().isReserved()) {
            throw new UnsupportedOperationException("Without a placeholder: " + peek().text());
        }
        if (peek().kind() != kind) {
            throw syntaxError();
        }
        placeholders.add(peek().text());
        return take();
    }

    RuntimeException syntaxError() {
        return SimErrors.validation("Invalid expression: Syntax error; token: \"" + peek().text() + "\"");
    }
}
