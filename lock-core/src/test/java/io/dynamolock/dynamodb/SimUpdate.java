/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An update expression, parsed.
 *
 * @param sets what it sets
 * @param removals what it removes
 */
record SimUpdate(List<Assignment> sets, List<SimOperand.Attribute> removals) {

    static final SimUpdate NONE = new SimUpdate(List.of(), List.of());

    /** The item afterwards. All values are taken from the item as it was. */
    Map<String, AttributeValue> applied(SimScope scope, Map<String, AttributeValue> key) {
        Map<String, AttributeValue> after = new HashMap<>(32);
        after.putAll(scope.item());
        after.putAll(key);
        for (Assignment set : sets) {
            after.put(scope.name(set.target.placeholder()), set.valueIn(scope));
        }
        for (SimOperand.Attribute removal : removals) {
            after.remove(scope.name(removal.placeholder()));
        }
        return after;
    }

    /** Refuses an attribute that is changed twice, and one that is part of the key. */
    void check(SimScope scope, Map<String, AttributeValue> key) {
        Set<String> changed = new HashSet<>(32);
        for (Assignment set : sets) {
            checkOne(scope.name(set.target.placeholder()), changed, key);
        }
        for (SimOperand.Attribute removal : removals) {
            checkOne(scope.name(removal.placeholder()), changed, key);
        }
    }

    private static void checkOne(String name, Set<String> changed, Map<String, AttributeValue> key) {
        if (!changed.add(name)) {
            throw SimErrors.validation("Invalid UpdateExpression: Two document paths overlap with each other");
        }
        if (key.containsKey(name)) {
            throw SimErrors.validation("Cannot update attribute " + name + ". This attribute is part of the key");
        }
    }

    record Assignment(SimOperand.Attribute target, SimOperand value) {

        AttributeValue valueIn(SimScope scope) {
            AttributeValue set = value.in(scope);
            if (set == null) {
                throw SimErrors.validation(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            return set;
        }
    }
}
