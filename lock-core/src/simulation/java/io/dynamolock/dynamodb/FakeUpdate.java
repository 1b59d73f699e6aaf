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
record FakeUpdate(List<Assignment> sets, List<FakeOperand.Attribute> removals) {

    static final FakeUpdate NONE = new FakeUpdate(List.of(), List.of());

    /** The item afterwards. All values are taken from the item as it was; a new one has its key already. */
    Map<String, AttributeValue> applied(FakeScope scope, Map<String, AttributeValue> key) {
        FakeScope before = scope.item().isEmpty() ? new FakeScope(key, scope.given()) : scope;
        Map<String, AttributeValue> after = new HashMap<>(32);
        after.putAll(before.item());
        for (Assignment set : sets) {
            after.put(changeable(set.target, before, key), set.valueIn(before));
        }
        for (FakeOperand.Attribute removal : removals) {
            after.remove(changeable(removal, before, key));
        }
        return after;
    }

    private static String changeable(FakeOperand.Attribute target, FakeScope scope, Map<String, AttributeValue> key) {
        String name = scope.name(target.written());
        if (key.containsKey(name)) {
            throw FakeErrors.validation("Cannot update attribute " + name + ". This attribute is part of the key");
        }
        return name;
    }

    /** Rejects an attribute that is changed twice. */
    void check(FakeScope scope) {
        Set<String> changed = new HashSet<>(32);
        for (Assignment set : sets) {
            checkOne(scope.name(set.target.written()), changed);
        }
        for (FakeOperand.Attribute removal : removals) {
            checkOne(scope.name(removal.written()), changed);
        }
    }

    private static void checkOne(String name, Set<String> changed) {
        if (!changed.add(name)) {
            throw FakeErrors.validation("Invalid UpdateExpression: Two document paths overlap with each other");
        }
    }

    record Assignment(FakeOperand.Attribute target, FakeOperand value) {

        AttributeValue valueIn(FakeScope scope) {
            AttributeValue set = value.in(scope);
            if (set == null) {
                throw FakeErrors.validation(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            return set;
        }
    }
}
