/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition expression, parsed. */
sealed interface FakeCondition {

    FakeCondition NONE = new Always();

    boolean holds(FakeScope scope);

    /** Rejects given values that do not fit their operator, whatever the item is. */
    void check(FakeScope scope);

    record Always() implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return true;
        }

        @Override
        public void check(FakeScope scope) {
            // Nothing is given
        }
    }

    record And(FakeCondition left, FakeCondition right) implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return left.holds(scope) && right.holds(scope);
        }

        @Override
        public void check(FakeScope scope) {
            left.check(scope);
            right.check(scope);
        }
    }

    record Or(FakeCondition left, FakeCondition right) implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return left.holds(scope) || right.holds(scope);
        }

        @Override
        public void check(FakeScope scope) {
            left.check(scope);
            right.check(scope);
        }
    }

    record Not(FakeCondition negated) implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return !negated.holds(scope);
        }

        @Override
        public void check(FakeScope scope) {
            negated.check(scope);
        }
    }

    record Exists(FakeOperand.Attribute attribute, boolean expected) implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return (attribute.in(scope) != null) == expected;
        }

        @Override
        public void check(FakeScope scope) {
            // Nothing is given
        }
    }

    record HasType(FakeOperand.Attribute attribute, FakeOperand.Literal type) implements FakeCondition {

        private static final Set<String> CODES = Set.of("S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL");

        @Override
        public boolean holds(FakeScope scope) {
            AttributeValue value = attribute.in(scope);
            return value != null
                    && FakeValues.typeCode(value).equals(type.in(scope).s());
        }

        @Override
        public void check(FakeScope scope) {
            String code = type.in(scope).s();
            if (code == null || !CODES.contains(code)) {
                throw FakeErrors.validation("Invalid ConditionExpression: Invalid attribute type name found");
            }
        }
    }

    record Comparison(FakeComparator comparator, FakeOperand left, FakeOperand right) implements FakeCondition {

        @Override
        public boolean holds(FakeScope scope) {
            return comparator.holds(left.in(scope), right.in(scope));
        }

        @Override
        public void check(FakeScope scope) {
            if (left instanceof FakeOperand.Attribute one
                    && right instanceof FakeOperand.Attribute other
                    && scope.name(one.written()).equals(scope.name(other.written()))) {
                throw FakeErrors.validation("Invalid ConditionExpression: The first operand must be distinct");
            }
            if (comparator.needsOrder()) {
                checkOrdered(left, scope);
                checkOrdered(right, scope);
            }
        }

        private static void checkOrdered(FakeOperand operand, FakeScope scope) {
            if (operand instanceof FakeOperand.Literal literal && !FakeValues.isOrdered(literal.in(scope))) {
                throw FakeErrors.validation(
                        "Invalid ConditionExpression: Incorrect operand type for operator or function");
            }
        }
    }
}
