/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.ArrayList;
import java.util.List;

/** Takes an expression apart. */
final class FakeLexer {

    private static final String SIGNS = "(),=<>+-";

    private final String text;
    private int next;

    private FakeLexer(String text) {
        this.text = text;
    }

    static List<FakeToken> tokens(String text) {
        FakeLexer lexer = new FakeLexer(text);
        List<FakeToken> tokens = new ArrayList<>();
        FakeToken token;
        do {
            token = lexer.token();
            tokens.add(token);
        } while (token.kind() != FakeToken.Kind.END);
        return tokens;
    }

    private FakeToken token() {
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        if (next == text.length()) {
            return new FakeToken(FakeToken.Kind.END, "");
        }
        char first = text.charAt(next);
        if (first == '#' || first == ':') {
            return placeholder(first == '#' ? FakeToken.Kind.NAME : FakeToken.Kind.VALUE);
        }
        if (Character.isLetter(first)) {
            return new FakeToken(FakeToken.Kind.WORD, word(next));
        }
        if (first == '.' || first == '[') {
            throw new UnsupportedOperationException("A path into an attribute: " + text);
        }
        if (SIGNS.indexOf(first) < 0) {
            throw FakeErrors.validation("Invalid expression: Syntax error; token: \"" + first + "\"");
        }
        return sign();
    }

    private FakeToken placeholder(FakeToken.Kind kind) {
        String placeholder = word(next + 1);
        if (placeholder.length() == 1) {
            throw FakeErrors.validation("Invalid expression: Syntax error; token: \"" + placeholder + "\"");
        }
        return new FakeToken(kind, placeholder);
    }

    private FakeToken sign() {
        boolean two = text.startsWith("<>", next) || text.startsWith("<=", next) || text.startsWith(">=", next);
        int start = next;
        next += two ? 2 : 1;
        return new FakeToken(FakeToken.Kind.SIGN, text.substring(start, next));
    }

    private String word(int from) {
        int start = next;
        next = from;
        while (next < text.length() && isOfWord(text.charAt(next))) {
            next++;
        }
        return text.substring(start, next);
    }

    private static boolean isOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
