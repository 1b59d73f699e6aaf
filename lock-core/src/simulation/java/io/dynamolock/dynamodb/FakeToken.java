/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Locale;
import java.util.Set;

/**
 * One word of an expression.
 *
 * @param kind what it is
 * @param text as it was written
 */
record FakeToken(Kind kind, String text) {

    private static final Set<String> RESERVED =
            Set.of("ADD", "AND", "BETWEEN", "DELETE", "IN", "NOT", "OR", "REMOVE", "SET");

    /** Attributes of a row whose names DynamoDB reserves. */
    private static final Set<String> RESERVED_ATTRIBUTES = Set.of("format", "owner");

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

    /** No attribute has such a name without a placeholder. */
    boolean isReserved() {
        return RESERVED.contains(text.toUpperCase(Locale.ROOT));
    }

    /** Whether it is an attribute without a placeholder; of others than a row's, it is not known whether they may be. */
    boolean isAttribute() {
        return kind == Kind.WORD && LockRowMapper.ATTRIBUTES.contains(text) && !RESERVED_ATTRIBUTES.contains(text);
    }

    boolean isKeyword(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }
}
