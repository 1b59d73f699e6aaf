/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.ArrayList;
import java.util.List;

/** Takes an expression apart. */
final class SimLexer {

    private static final String SIGNS = "(),=<>+-";

    private final String text;
    private int next;

    private SimLexer(String text) {
        this.text = text;
    }

    static List<SimToken> tokens(String text) {
        SimLexer lexer = new SimLexer(text);
        List<SimToken> tokens = new ArrayList<>();
        SimToken token;
        do {
            token = lexer.token();
            tokens.add(token);
        } while (token.kind() != SimToken.Kind.END);
        return tokens;
    }

    private SimToken token() {
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        if (next == text.length()) {
            return new SimToken(SimToken.Kind.END, "");
        }
        char first = text.charAt(next);
        if (first == '#' || first == ':') {
            return placeholder(first == '#' ? SimToken.Kind.NAME : SimToken.Kind.VALUE);
        }
        if (Character.isLetter(first)) {
            return new SimToken(SimToken.Kind.WORD, word(next));
        }
        if (first == '.' || first == '[') {
            throw new UnsupportedOperationException("A path into an attribute: " + text);
        }
        if (SIGNS.indexOf(first) < 0) {
            throw SimErrors.validation("Invalid expression: Syntax error; token: \"" + first + "\"");
        }
        return sign();
    }

    private SimToken placeholder(SimToken.Kind kind) {
        String placeholder = word(next + 1);
        if (placeholder.length() == 1) {
            throw SimErrors.validation("Invalid expression: Syntax error; token: \"" + placeholder + "\"");
        }
        return new SimToken(kind, placeholder);
    }

    private SimToken sign() {
        boolean two = text.startsWith("<>", next) || text.startsWith("<=", next) || text.startsWith(">=", next);
        int start = next;
        next += two ? 2 : 1;
        return new SimToken(SimToken.Kind.SIGN, text.substring(start, next));
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
