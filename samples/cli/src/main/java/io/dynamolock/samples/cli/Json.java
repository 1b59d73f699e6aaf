/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON, on one line. */
final class Json {

    private Json() {}

    /** Writes maps, collections, numbers, booleans and null as such, anything else as a string. */
    static String of(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> Shown.json(String.valueOf(member.getKey())) + ": " + of(member.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(Json::of).collect(Collectors.joining(", ", "[", "]"));
        }
        return value == null || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : Shown.json(value.toString());
    }
}
