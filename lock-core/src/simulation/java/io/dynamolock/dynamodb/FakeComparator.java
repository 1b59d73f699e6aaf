/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The comparators of condition expressions. */
enum FakeComparator {
    EQUAL("="),
    DIFFERENT("<>"),
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">=");

    private final String sign;

    FakeComparator(String sign) {
        this.sign = sign;
    }

    static @Nullable FakeComparator of(FakeToken token) {
        for (FakeComparator comparator : values()) {
            if (token.is(comparator.sign)) {
                return comparator;
            }
        }
        return null;
    }

    boolean needsOrder() {
        return this != EQUAL && this != DIFFERENT;
    }

    /** Null stands for an attribute that is not there. */
    boolean holds(@Nullable AttributeValue left, @Nullable AttributeValue right) {
        if (this == DIFFERENT) {
            return !EQUAL.holds(left, right);
        }
        if (left == null || right == null || left.type() != right.type()) {
            return false;
        }
        return this == EQUAL ? FakeValues.equal(left, right) : isOrdered(left, right);
    }

    private boolean isOrdered(AttributeValue left, AttributeValue right) {
        if (!FakeValues.isOrdered(left)) {
            return false;
        }
        int order = FakeValues.compare(left, right);
        return switch (this) {
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case MORE -> order > 0;
            default -> order >= 0;
        };
    }
}
