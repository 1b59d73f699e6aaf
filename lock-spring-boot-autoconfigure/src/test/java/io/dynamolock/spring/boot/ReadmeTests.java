/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.NightlyReport;
import com.jayway.jsonpath.JsonPath;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.boot.test.json.JsonContent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * README is short, its first example works, and its figures are measured; configuration.md lists the properties as the
 * metadata does, except that it names the unit of durations only once.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReadmeTests {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| (?:`([^`]*)`)? ?\\| (.+) \\|$");

    private static final Pattern UNIT =
            Pattern.compile(" If a duration suffix is not specified, (seconds|days) will be used\\.$");

    /** The table at the beginning of the benchmarks' report. */
    private static final Pattern SUMMARY = Pattern.compile("## Summary\n\n[^|]+\n\n((?:\\|.*\n)+)");

    private record Property(String defaultValue, String description) {}

    @Test
    void configurationListsThePropertiesOfTheMetadata() {
        assertThat(properties(Docs.page("configuration.md"))).isEqualTo(metadata());
    }

    private static Map<String, Property> properties(String page) {
        Map<String, Property> documented = new TreeMap<>();
        Matcher rows = ROW.matcher(page.substring(page.indexOf("## Properties")));
        while (rows.find()) {
            documented.put(rows.group(1), new Property(Objects.toString(rows.group(2), ""), rows.group(3)));
        }
        assertThat(documented).isNotEmpty();
        return documented;
    }

    @Test
    void readmeIsShort() {
        assertThat(Docs.read(Docs.ROOT.resolve("README.md")).lines()).hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void readmeShowsTheFiguresOfTheBenchmarks() {
        Matcher summary = SUMMARY.matcher(Docs.read(Docs.ROOT.resolve("samples/benchmarks/measured/report.md")));
        assertThat(summary.find()).isTrue();

        assertThat(Docs.read(Docs.ROOT.resolve("README.md"))).contains("\n\n" + summary.group(1) + "\n");
    }

    @Test
    void firstExampleNeedsTenLinesAndRunsOnce(CapturedOutput output) {
        String readme = Docs.read(Docs.ROOT.resolve("README.md"));
        String first = Docs.blocks("java", readme).get(0);
        assertThat(first.lines()).hasSizeLessThanOrEqualTo(10);
        assertThat(Docs.read(Path.of("src/test/java/com/example/NightlyReport.java")))
                .endsWith(first + "\n");

        Locking.inMemory().withBean(NightlyReport.class).run(context -> {
            NightlyReport report = context.getBean(NightlyReport.class);
            report.write();
            report.write(); // as another instance, within a minute
        });

        assertThat(output.getOut()).containsOnlyOnce("writing");
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
                    String description = UNIT.matcher(String.valueOf(property.get("description")))
                            .replaceAll("");
                    properties.put(name, new Property(value, description + values(metadata, name)));
                });
        return properties;
    }

    /** Returns the values that the metadata offers for a property, as the page lists them. */
    private static String values(JsonContent<Object> metadata, String name) {
        List<String> values = JsonPath.read(
                metadata.getJson(), "$.hints[?(@.name == 'dynamolock." + name + "' && !@.providers)].values[*].value");
        return values.isEmpty()
                ? ""
                : values.stream().map("`%s`"::formatted).collect(Collectors.joining(", ", " One of ", "."));
    }
}
