/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.boot.test.json.JsonContent;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * README shows code of this file, which is compiled and run; CONFIGURATION lists the properties as the metadata
 * does, except that it names the unit of durations only once.
 */
class ReadmeTests {

    private static final Path SOURCE = Path.of("src/test/java/io/dynamolock/spring/boot/ReadmeTests.java");
    private static final Pattern SNIPPET =
            Pattern.compile("// tag::readme\\[]\\R(.*?)\\h*// end::readme\\[]", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| (?:`([^`]*)`)? ?\\| (.+) \\|$");

    private static final Pattern UNIT =
            Pattern.compile(" If a duration suffix is not specified, (seconds|days) will be used\\.$");

    private record Property(String defaultValue, String description) {}

    record Order(String id) {}

    interface Reports {
        void build();
    }

    interface Invoices {
        void store(String order, long fencingToken);
    }

    static class Work {

        private final List<String> done = new ArrayList<>();
        private final Reports reports = () -> done.add("report");
        private final Invoices invoices = (order, fencingToken) -> done.add(order);

        // tag::readme[]
        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "nightly-report", minHold = "1m") // one instance runs it, the others skip it
        public void nightlyReport() {
            reports.build(); // any duration: the lease is renewed until this returns
        }

        @DistributedLock(name = "invoice-#{#order.id}", waitTime = "5s") // busy after 5 s: LockBusyException
        public void invoice(Order order) {
            invoices.store(order.id(), Locks.current().orElseThrow().fencingToken()); // UPDATE ... WHERE fence <= ?
        }
        // end::readme[]

        List<String> done() {
            return done;
        }
    }

    @Test
    void readmeCodeRuns() {
        Locking.inMemory().withBean(Work.class).run(context -> {
            Work work = context.getBean(Work.class);
            work.nightlyReport();
            work.nightlyReport(); // skipped: the lock stays taken for the minimum hold time
            work.invoice(new Order("4711"));

            assertThat(work.done()).containsExactly("report", "4711");
        });
    }

    @Test
    void readmeShowsTestedCode() throws IOException {
        Matcher snippet = SNIPPET.matcher(Files.readString(SOURCE));

        assertThat(snippet.find()).isTrue();
        assertThat(withoutLineBreaks(readme())).contains(withoutLineBreaks(snippet.group(1)));
    }

    private static String withoutLineBreaks(String code) {
        return code.replaceAll("\\s+", "");
    }

    @Test
    void configurationListsThePropertiesOfTheMetadata() throws IOException {
        assertThat(properties(Files.readString(Path.of("CONFIGURATION.md")))).isEqualTo(metadata());
    }

    @Test
    void readmeRepeatsAFewProperties() throws IOException {
        assertThat(metadata()).containsAllEntriesOf(properties(readme()));
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
    void readmeIsShort() throws IOException {
        assertThat(readme().lines()).hasSizeLessThanOrEqualTo(200);
    }

    private static String readme() throws IOException {
        return Files.readString(Path.of("../README.md"));
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
