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
            List<String> problems, TableDescription table, KeyType type, String what, @Nullable String name) {
        String expected = name == null ? "no " + what : what + " '" + name + "' of type S";
        String actual = key(table, type, what);
        if (!expected.equals(actual)) {
            String remedy = actual.contains(" of type ") && !actual.endsWith(" of type S")
                    ? "use another table, as its keys must be of type S"
                    : "configure the " + what + " as in the table, or use another table";
            problems.add("expected " + expected + ", but found " + actual + "; " + remedy);
        }
    }

    private static String key(TableDescription table, KeyType type, String what) {
        return table.keySchema().stream()
                .filter(key -> key.keyType() == type)
                .map(KeySchemaElement::attributeName)
                .findFirst()
                .map(name -> what + " '" + name + "' of type " + typeOf(table, name))
                .orElse("no " + what);
    }

    private static String typeOf(TableDescription table, String attribute) {
        return table.attributeDefinitions().stream()
                .filter(definition -> Objects.equals(definition.attributeName(), attribute))
                .map(AttributeDefinition::attributeTypeAsString)
                .findFirst()
                .orElse("unknown");
    }
}
