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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A promise counts only with a test that shows it: each test that GUARANTEES.md names must exist. */
class GuaranteesTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAMED_TEST = Pattern.compile("`(\\w+(?:Tests|Contract|IT))\\.(\\w+)`");
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
        String page = Files.readString(Path.of("GUARANTEES.md"));
        String promises = page.substring(page.indexOf("## Promises"), page.indexOf("## Not promised"));

        List<String> unshown = PROMISE.matcher(promises)
                .results()
                .map(row -> row.group(1))
                .filter(row -> !NAMED_TEST.matcher(row).find())
                .toList();

        assertThat(unshown).isEmpty();
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
