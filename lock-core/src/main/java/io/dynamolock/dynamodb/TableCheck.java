/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Checks whether a table is fit for locks: its keys match the settings, and it has no replicas with eventual
 * consistency.
 */
final class TableCheck {

    /** The type of each key. */
    private static final String TYPE = "S";

    private final TableLayout layout;

    TableCheck(TableLayout layout) {
        this.layout = layout;
    }

    /** The problems of a table; empty if it is fit. */
    List<String> problems(TableDescription table) {
        List<String> problems = new ArrayList<>();
        addKeyProblem(problems, table, KeyType.HASH, "partition key", layout.partitionKey());
        addKeyProblem(problems, table, KeyType.RANGE, "sort key", layout.sortKey());
        if (!table.replicas().isEmpty() && table.multiRegionConsistency() != MultiRegionConsistency.STRONG) {
            String regions = table.replicas().stream()
                    .map(ReplicaDescription::regionName)
                    .collect(joining(", "));
            problems.add("expected no replicas, or strong consistency between Regions, but found replicas in " + regions
                    + " with eventual consistency, where two Regions can hold one lock at the same time;"
                    + " use a single-Region table, or a multi-Region table with strong consistency");
        }
        return problems;
    }

    private static void addKeyProblem(
            List<String> problems, TableDescription table, KeyType kind, String what, @Nullable String name) {
        String found = key(table, kind);
        String type = found == null ? TYPE : typeOf(table, found);
        String expected = described(what, name, TYPE);
        String actual = described(what, found, type);
        if (!expected.equals(actual)) {
            String remedy = type.equals(TYPE)
                    ? "configure the " + what + " as in the table, or use another table"
                    : "use another table, as its keys must be of type " + TYPE;
            problems.add("expected " + expected + ", but found " + actual + "; " + remedy);
        }
    }

    private static String described(String what, @Nullable String name, String type) {
        return name == null ? "no " + what : what + " '" + name + "' of type " + type;
    }

    private static @Nullable String key(TableDescription table, KeyType kind) {
        return table.keySchema().stream()
                .filter(key -> key.keyType() == kind)
                .map(KeySchemaElement::attributeName)
                .findFirst()
                .orElse(null);
    }

    private static String typeOf(TableDescription table, String attribute) {
        return table.attributeDefinitions().stream()
                .filter(definition -> Objects.equals(definition.attributeName(), attribute))
                .map(AttributeDefinition::attributeTypeAsString)
                .findFirst()
                .orElse("unknown");
    }
}
