/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.dynamodb.FakeTable.Change;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The protected resources: one counter per name, read and written by holders under the fence of their leases (3). */
final class SimCounters {

    static final String PREFIX = "counter-";

    private final SimVerdict verdict;
    private final Map<String, Integer> applied = new HashMap<>();
    private final Set<String> increments = new HashSet<>();

    SimCounters(SimVerdict verdict) {
        this.verdict = verdict;
    }

    static boolean owns(String name) {
        return name.startsWith(PREFIX);
    }

    void changed(Change change) {
        int count = applied.merge(change.name(), 1, Integer::sum);
        long value = number(change.after(), "value");
        if (value != count) {
            verdict.broken(3, "%s is %d after %d increments".formatted(change.name(), value, count));
        }
        if (number(change.after(), "fence") < number(change.before(), "fence")) {
            verdict.broken(3, change.name() + " took a smaller token");
        }
        increments.add(SimRequest.text(change.after(), "by"));
    }

    static long number(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        return value == null ? 0 : Long.parseLong(value.n());
    }

    void acknowledged(String increment) {
        if (!increments.contains(increment)) {
            verdict.broken(3, "The increment " + increment + " was acknowledged and is not there");
        }
    }
}
