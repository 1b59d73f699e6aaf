/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar of this build: complete, runnable, and with the licenses of what it contains. */
@Timeout(300)
class DynamolockJarIT {

    private static final String JAR = System.getProperty("dynamolock.jar");

    @TempDir
    private Path folder;

    @Test
    void runsCommandUnderLock() throws Exception {
        try (TestTable table = TestTable.create();
                CliProcess process =
                        run(Run.line(TestTable.endpoint(), table, "lock", "job", "--", "sh", "-c", "exit 3"))) {
            assertThat(process.end()).as(process.err()).isEqualTo(3);
            assertThat(process.err()).isEmpty();
            assertThat(table.inspect("job").lastHold()).isNotNull();
        }
    }

    @Test
    void knowsItsVersion() throws Exception {
        try (CliProcess process = run("--version")) {
            assertThat(process.end()).isZero();
            assertThat(process.out()).matches("dynamolock \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R");
        }
    }

    private CliProcess run(String... args) throws IOException {
        List<String> line = new ArrayList<>(List.of(CliProcess.java(), "-XX:TieredStopAtLevel=1", "-jar", JAR));
        line.addAll(Arrays.asList(args));
        return CliProcess.run(folder, line);
    }

    @Test
    void namesAllThatItContains() throws IOException {
        Pattern module = Pattern.compile("META-INF/maven/([^/]+)/([^/]+)/pom.xml");
        try (JarFile jar = new JarFile(JAR)) {
            String thirdParty = text(jar, "META-INF/THIRD-PARTY.txt");
            List<String> modules = jar.stream()
                    .map(entry -> module.matcher(entry.getName()))
                    .filter(Matcher::matches)
                    .map(found -> found.group(1) + ":" + found.group(2))
                    .toList();

            assertThat(modules).contains("io.dynamolock:lock-core", "software.amazon.awssdk:dynamodb");
            assertThat(modules)
                    .filteredOn(each -> !each.startsWith("io.dynamolock:"))
                    .allSatisfy(each ->
                            assertThat(thirdParty).containsAnyOf(each + " ", each.replaceFirst(":.*", ":*") + " "));
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE.txt")).contains("AWS SDK for Java");
        }
    }

    private static String text(JarFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        assertThat(entry).as(name).isNotNull();
        return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void containsNoTestSupport() throws IOException {
        try (JarFile jar = new JarFile(JAR)) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.contains("/services/local/") || name.contains("localdynamodb"));
        }
    }
}
