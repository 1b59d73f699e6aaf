/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What an expression computes with. */
sealed interface SimOperand {

    /** Null if the attribute is not there. */
    @Nullable
    AttributeValue in(SimScope scope);

    record Attribute(String placeholder) implements SimOperand {

        @Override
        public @Nullable AttributeValue in(SimScope scope) {
            return scope.attribute(placeholder);
        }
    }

    record Literal(String placeholder) implements SimOperand {

        @Override
        public AttributeValue in(SimScope scope) {
            return scope.value(placeholder);
        }
    }

    record IfNotExists(Attribute attribute, SimOperand otherwise) implements SimOperand {

        @Override
        public @Nullable AttributeValue in(SimScope scope) {
            AttributeValue value = attribute.in(scope);
            return value == null ? otherwise.in(scope) : value;
        }
    }

    record Sum(SimOperand left, SimOperand right, boolean minus) implements SimOperand {

        @Override
        public AttributeValue in(SimScope scope) {
            return SimValues.sum(number(left, scope), number(right, scope), minus);
        }

        private static AttributeValue number(SimOperand operand, SimScope scope) {
            AttributeValue value = operand.in(scope);
            if (value == null) {
                throw SimErrors.validation(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            if (value.type() != AttributeValue.Type.N) {
                throw SimErrors.validation("An operand in the update expression has an incorrect data type");
            }
            return value;
        }
    }
}
