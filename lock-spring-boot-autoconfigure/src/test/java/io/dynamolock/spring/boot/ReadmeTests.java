/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.boot.test.json.JsonContent;

/** The table of properties in the README equals the metadata. */
class ReadmeTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| (?:`([^`]*)`)? ?\\| (.+) \\|$");

    private record Property(String defaultValue, String description) {}

    @Test
    void theTableOfPropertiesEqualsTheMetadata() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        Map<String, Property> documented = new TreeMap<>();
        Matcher rows = ROW.matcher(readme.substring(readme.indexOf("## Properties")));
        while (rows.find()) {
            documented.put(rows.group(1), new Property(Objects.toString(rows.group(2), ""), rows.group(3)));
        }

        assertThat(documented).isEqualTo(metadata());
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(Path.of("../README.md"))).hasSizeLessThanOrEqualTo(200);
    }

    private static Map<String, Property> metadata() {
        Map<String, Property> properties = new TreeMap<>();
        JsonContent<Object> metadata =
                new BasicJsonTester(ReadmeTests.class).from("/META-INF/spring-configuration-metadata.json");
        assertThat(metadata)
                .extractingJsonPathArrayValue("$.properties[?(@.name =~ /dynamolock\\..*/)]")
                .allSatisfy(each -> {
                    Map<?, ?> property = (Map<?, ?>) each;
                    String name = String.valueOf(property.get("name")).substring("dynamolock.".length());
                    String value = Objects.toString(property.get("defaultValue"), "");
                    properties.put(name, new Property(value, String.valueOf(property.get("description"))));
                });
        return properties;
    }
}
