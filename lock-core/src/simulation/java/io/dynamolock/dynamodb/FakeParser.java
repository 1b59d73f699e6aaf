/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Common part of both expression parsers: tokens, operands, and used placeholders. */
final class FakeParser {

    private final List<FakeToken> tokens;
    private final Set<String> placeholders = new HashSet<>();
    private int next;

    FakeParser(String text) {
        this.tokens = FakeLexer.tokens(text);
    }

    Set<String> placeholders() {
        return placeholders;
    }

    FakeToken peek() {
        return tokens.get(next);
    }

    FakeToken take() {
        FakeToken token = peek();
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
        if (peek().kind() != FakeToken.Kind.END) {
            throw syntaxError();
        }
    }

    FakeOperand.Attribute attribute() {
        FakeToken token = operandToken(FakeToken.Kind.NAME);
        return new FakeOperand.Attribute(token.text());
    }

    FakeOperand.Literal literal() {
        FakeToken token = operandToken(FakeToken.Kind.VALUE);
        return new FakeOperand.Literal(token.text());
    }

    FakeOperand operand() {
        return peek().kind() == FakeToken.Kind.VALUE ? literal() : attribute();
    }

    private FakeToken operandToken(FakeToken.Kind kind) {
        if (peek().kind() == FakeToken.Kind.WORD && !peek().isReserved()) {
            throw new UnsupportedOperationException("Without a placeholder: " + peek().text());
        }
        if (peek().kind() != kind) {
            throw syntaxError();
        }
        placeholders.add(peek().text());
        return take();
    }

    RuntimeException syntaxError() {
        return FakeErrors.validation("Invalid expression: Syntax error; token: \"" + peek().text() + "\"");
    }
}
