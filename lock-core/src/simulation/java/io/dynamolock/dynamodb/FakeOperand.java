/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What an expression computes with. */
sealed interface FakeOperand {

    /** Null if the attribute is not there. */
    @Nullable
    AttributeValue in(FakeScope scope);

    record Attribute(String written) implements FakeOperand {

        @Override
        public @Nullable AttributeValue in(FakeScope scope) {
            return scope.attribute(written);
        }
    }

    record Literal(String placeholder) implements FakeOperand {

        @Override
        public AttributeValue in(FakeScope scope) {
            return scope.value(placeholder);
        }
    }

    record IfNotExists(Attribute attribute, FakeOperand otherwise) implements FakeOperand {

        @Override
        public @Nullable AttributeValue in(FakeScope scope) {
            AttributeValue value = attribute.in(scope);
            return value == null ? otherwise.in(scope) : value;
        }
    }

    record Sum(FakeOperand left, FakeOperand right, boolean minus) implements FakeOperand {

        @Override
        public AttributeValue in(FakeScope scope) {
            return FakeValues.sum(number(left, scope), number(right, scope), minus);
        }

        private static AttributeValue number(FakeOperand operand, FakeScope scope) {
            AttributeValue value = operand.in(scope);
            if (value == null) {
                throw FakeErrors.validation(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            if (value.type() != AttributeValue.Type.N) {
                throw FakeErrors.validation("An operand in the update expression has an incorrect data type");
            }
            return value;
        }
    }
}
