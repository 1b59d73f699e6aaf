/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/** The printed table is the one that the library creates, and the one that operations.md shows. */
class PrintTableTests {

    private static final String[] PROTECTION = {"--deletion-protection", "--point-in-time-recovery"};
    private static final String[] KEYS = {"--partition-key=pk", "--sort-key=sk=lock", "--ttl-attribute=expires"};

    @Test
    void cloudFormationHasCreatedTable() {
        try (TestTable table = TestTable.create()) {
            assertThat(new TreeMap<>(properties(print("cloudformation", table.name()))))
                    .isEqualTo(asCloudFormation(table));
        }
    }

    /** What DynamoDB tells about a table, in the words of CloudFormation. */
    private static Map<String, Object> asCloudFormation(TestTable table) {
        TableDescription created = describe(table);
        TimeToLiveDescription ttl = timeToLive(table);
        return new TreeMap<>(Map.of(
                "TableName", created.tableName(),
                "BillingMode", created.billingModeSummary().billingModeAsString(),
                "AttributeDefinitions",
                        created.attributeDefinitions().stream()
                                .map(attribute -> Map.of(
                                        "AttributeName", attribute.attributeName(),
                                        "AttributeType", attribute.attributeTypeAsString()))
                                .toList(),
                "KeySchema",
                        created.keySchema().stream()
                                .map(key ->
                                        Map.of("AttributeName", key.attributeName(), "KeyType", key.keyTypeAsString()))
                                .toList(),
                "TimeToLiveSpecification", Map.of("AttributeName", ttl.attributeName(), "Enabled", true)));
    }

    @Test
    void terraformHasCreatedTable() {
        try (TestTable table = TestTable.create()) {
            TableDescription created = describe(table);
            assertThat(created.keySchema())
                    .singleElement()
                    .satisfies(key -> assertThat(key.keyType()).isEqualTo(KeyType.HASH));
            assertThat(created.attributeDefinitions()).hasSize(1);

            assertThat(arguments(print("terraform", table.name())))
                    .isEqualTo(new TreeMap<>(Map.of(
                            "name", created.tableName(),
                            "billing_mode", created.billingModeSummary().billingModeAsString(),
                            "hash_key", created.keySchema().get(0).attributeName(),
                            "attribute.name",
                                    created.attributeDefinitions().get(0).attributeName(),
                            "attribute.type",
                                    created.attributeDefinitions().get(0).attributeTypeAsString(),
                            "ttl.attribute_name", timeToLive(table).attributeName(),
                            "ttl.enabled", "true")));
        }
    }

    @Test
    void cloudFormationHasKeysOfCreatedTable() {
        try (TestTable table = withKeys()) {
            assertThat(new TreeMap<>(properties(print("cloudformation", table.name(), KEYS))))
                    .isEqualTo(asCloudFormation(table));
        }
    }

    @Test
    void terraformHasKeysOfCreatedTable() {
        try (TestTable table = withKeys()) {
            assertThat(describe(table).keySchema())
                    .extracting(key -> key.keyTypeAsString() + " " + key.attributeName())
                    .containsExactly("HASH pk", "RANGE sk");
            assertThat(timeToLive(table).attributeName()).isEqualTo("expires");

            assertThat(arguments(print("terraform", table.name(), KEYS)))
                    .containsEntry("hash_key", "pk")
                    .containsEntry("range_key", "sk")
                    .containsEntry("attribute.name", "pk, sk")
                    .containsEntry("attribute.type", "S, S")
                    .containsEntry("ttl.attribute_name", "expires");
        }
    }

    /** A table that the command line has created. */
    private static TestTable withKeys() {
        TestTable table = TestTable.create();
        table.client().deleteTable(request -> request.tableName(table.name()));
        assertThat(Run.on(table, "create-table", KEYS).err()).isEmpty();
        return table;
    }

    @Test
    void cloudFormationHasProtection() {
        assertThat(properties(print("cloudformation", "locks", PROTECTION)))
                .containsEntry("DeletionProtectionEnabled", true)
                .containsEntry("PointInTimeRecoverySpecification", Map.of("PointInTimeRecoveryEnabled", true));
    }

    @Test
    void terraformHasProtection() {
        assertThat(arguments(print("terraform", "locks", PROTECTION)))
                .containsEntry("deletion_protection_enabled", "true")
                .containsEntry("point_in_time_recovery.enabled", "true");
    }

    @ParameterizedTest
    @CsvSource({"terraform, hcl", "cloudformation, yaml"})
    void pageForOperatorsShowsIt(String format, String language) throws IOException {
        String page = Files.readString(Path.of("../../lock-spring-boot-starter/docs/operations.md"));

        assertThat(page).contains("```" + language + "\n" + print(format, "dynamolock", PROTECTION) + "```\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloudformation", "terraform"})
    void nameThatIsNotOfATableIsRejected(String format) {
        Run run = Run.of("print-table", "--format", format, "--table", "a\": ${b}");

        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.out()).isEmpty();
    }

    private static String print(String format, String table, String... options) {
        String[] line = new String[5 + options.length];
        System.arraycopy(new String[] {"print-table", "--format", format, "--table", table}, 0, line, 0, 5);
        System.arraycopy(options, 0, line, 5, options.length);
        Run run = Run.of(line);
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    private static TableDescription describe(TestTable table) {
        return table.client()
                .describeTable(request -> request.tableName(table.name()))
                .table();
    }

    private static TimeToLiveDescription timeToLive(TestTable table) {
        return table.client()
                .describeTimeToLive(request -> request.tableName(table.name()))
                .timeToLiveDescription();
    }

    private static Map<String, Object> properties(String template) {
        Map<String, Map<String, Map<String, Map<String, Object>>>> yaml = new Yaml().load(template);
        Map<String, Map<String, Object>> locks = Objects.requireNonNull(
                Objects.requireNonNull(yaml.get("Resources")).get("Locks"));
        return Objects.requireNonNull(locks.get("Properties"));
    }

    /** The arguments of the resource, those of a block with its name as a prefix. */
    private static Map<String, String> arguments(String terraform) {
        List<String> lines = terraform.lines().map(String::strip).toList();
        assertThat(lines.get(0)).isEqualTo("resource \"aws_dynamodb_table\" \"locks\" {");
        Deque<String> blocks = new ArrayDeque<>(List.of(""));
        Map<String, String> arguments = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.endsWith("{")) {
                blocks.push(line.replace(" {", "."));
            } else if (line.equals("}")) {
                blocks.pop();
            } else if (!line.isEmpty()) {
                String[] argument = line.split(" += ", 2);
                arguments.merge(
                        blocks.element() + argument[0],
                        argument[1].replace("\"", ""),
                        (first, second) -> first + ", " + second);
            }
        }
        assertThat(blocks).isEmpty();
        return arguments;
    }
}
