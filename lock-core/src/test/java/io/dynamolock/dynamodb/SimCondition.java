/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition expression, parsed. */
sealed interface SimCondition {

    SimCondition NONE = new Always();

    boolean holds(SimScope scope);

    /** Refuses given values that do not fit their operator, whatever the item is. */
    void check(SimScope scope);

    record Always() implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return true;
        }

        @Override
        public void check(SimScope scope) {
            // Nothing is given
        }
    }

    record And(SimCondition left, SimCondition right) implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return left.holds(scope) && right.holds(scope);
        }

        @Override
        public void check(SimScope scope) {
            left.check(scope);
            right.check(scope);
        }
    }

    record Or(SimCondition left, SimCondition right) implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return left.holds(scope) || right.holds(scope);
        }

        @Override
        public void check(SimScope scope) {
            left.check(scope);
            right.check(scope);
        }
    }

    record Not(SimCondition negated) implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return !negated.holds(scope);
        }

        @Override
        public void check(SimScope scope) {
            negated.check(scope);
        }
    }

    record Exists(SimOperand.Attribute attribute, boolean expected) implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return (attribute.in(scope) != null) == expected;
        }

        @Override
        public void check(SimScope scope) {
            // Nothing is given
        }
    }

    record HasType(SimOperand.Attribute attribute, SimOperand.Literal type) implements SimCondition {

        private static final Set<String> CODES = Set.of("S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL");

        @Override
        public boolean holds(SimScope scope) {
            AttributeValue value = attribute.in(scope);
            return value != null
                    && SimValues.typeCode(value).equals(type.in(scope).s());
        }

        @Override
        public void check(SimScope scope) {
            String code = type.in(scope).s();
            if (code == null || !CODES.contains(code)) {
                throw SimErrors.validation("Invalid ConditionExpression: Invalid attribute type name found");
            }
        }
    }

    record Comparison(SimComparator comparator, SimOperand left, SimOperand right) implements SimCondition {

        @Override
        public boolean holds(SimScope scope) {
            return comparator.holds(left.in(scope), right.in(scope));
        }

        @Override
        public void check(SimScope scope) {
            if (left instanceof SimOperand.Attribute one
                    && right instanceof SimOperand.Attribute other
                    && scope.name(one.placeholder()).equals(scope.name(other.placeholder()))) {
                throw SimErrors.validation("Invalid ConditionExpression: The first operand must be distinct");
            }
            if (comparator.needsOrder()) {
                checkOrdered(left, scope);
                checkOrdered(right, scope);
            }
        }

        private static void checkOrdered(SimOperand operand, SimScope scope) {
            if (operand instanceof SimOperand.Literal literal && !SimValues.isOrdered(literal.in(scope))) {
                throw SimErrors.validation(
                        "Invalid ConditionExpression: Incorrect operand type for operator or function");
            }
        }
    }
}
