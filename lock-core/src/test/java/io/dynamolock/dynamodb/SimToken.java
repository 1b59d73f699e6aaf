/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

/**
 * One word of an expression.
 *
 * @param kind what it is
 * @param text as it was written
 */
record SimToken(Kind kind, String text) {

    enum Kind {
        NAME,
        VALUE,
        WORD,
        SIGN,
        END
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    boolean isKeyword(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }
}
