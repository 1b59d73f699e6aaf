/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A promise counts only with a test that shows it, and a fault that this notices: what GUARANTEES.md names must exist, and the other way round. */
class GuaranteesTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Tests|Contract|IT))\\.(\\w+)`");
    private static final Pattern NAMED_FAULT = Pattern.compile("\\*([^*|]+)\\*");
    private static final Pattern FAULT_TO_FIND = Pattern.compile("-Dmutant=\"([^\".]+)\"");
    private static final Pattern PROMISE = Pattern.compile("(?m)^\\| (?!promise|---)(.*)\\|\\s*$");

    @Test
    void everyTestNamedExists() throws IOException {
        String page = Files.readString(Path.of("GUARANTEES.md"));
        List<String> missing = new ArrayList<>();

        Matcher named = NAMED_TEST.matcher(page);
        int count = 0;
        while (named.find()) {
            count++;
            if (!exists(named.group(1), named.group(2))) {
                missing.add(named.group());
            }
        }

        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(40);
    }

    @Test
    void everyPromiseNamesATest() throws IOException {
        List<String> unshown = PROMISE.matcher(promises())
                .results()
                .map(row -> row.group(1))
                .filter(row -> !NAMED_TEST.matcher(row).find())
                .toList();

        assertThat(unshown).isEmpty();
    }

    @Test
    void everyFaultStandsBesideAPromiseAndEachOneNamedExists() throws IOException {
        assertThat(named(NAMED_FAULT, promises())).isEqualTo(faults());
    }

    @Test
    void everyFaultOfTheTrackRecordCanBeFoundAgain() throws IOException {
        String page = Files.readString(Path.of("src/test/TRACK-RECORD.md"));

        assertThat(faults()).containsAll(named(FAULT_TO_FIND, page));
        assertThat(named(FAULT_TO_FIND, page)).hasSizeGreaterThan(30);
    }

    private static String promises() throws IOException {
        String page = Files.readString(Path.of("GUARANTEES.md"));
        return page.substring(page.indexOf("## Promises"), page.indexOf("## How it is looked for"));
    }

    private static Set<String> named(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private static Set<String> faults() {
        return MutantTests.all().map(Mutant::fault).collect(Collectors.toSet());
    }

    private static boolean exists(String type, String method) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> sources = files.filter(file -> file.endsWith(type + ".java"))
                    .filter(file -> file.toString().contains("src/test/java"))
                    .toList();
            for (Path source : sources) {
                if (Pattern.compile("void " + method + "\\(")
                        .matcher(Files.readString(source))
                        .find()) {
                    return true;
                }
            }
            return false;
        }
    }
}
