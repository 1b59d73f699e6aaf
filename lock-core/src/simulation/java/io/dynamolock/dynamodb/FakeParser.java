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
        if (peek().isAttribute()) {
            return new FakeOperand.Attribute(take().text());
        }
        if (peek().kind() == FakeToken.Kind.WORD && !peek().isReserved()) {
            throw new UnsupportedOperationException("Without a placeholder: " + peek().text());
        }
        return new FakeOperand.Attribute(placeholder(FakeToken.Kind.NAME).text());
    }

    FakeOperand.Literal literal() {
        return new FakeOperand.Literal(placeholder(FakeToken.Kind.VALUE).text());
    }

    FakeOperand operand() {
        return peek().kind() == FakeToken.Kind.VALUE ? literal() : attribute();
    }

    private FakeToken placeholder(FakeToken.Kind kind) {
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
