/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.dynamolock.LockWrite;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.core.io.ByteArrayResource;

/** All documents: their links lead somewhere, and the settings and tests that they name exist. */
class DocsTests {

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern OUTSIDE = Pattern.compile("[a-z]+:.*");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests|Contract|IT))[`.]");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /** A key as texts name it, with or without the prefix; no meter. */
    private static final String KEY =
            "`(?:dynamolock\\.)?((?:annotation|client|heartbeat|leader|lease|metrics|retry|shutdown|table"
                    + "|wait)\\.(?!(?:skipped|lag)`)[a-z][a-z-]*)(?:[=:][^`]*)?`";

    private static final Set<String> GENERATED = Set.of("target", ".git", "node_modules");

    static List<Path> documents() throws IOException {
        return files().stream()
                .filter(file -> file.toString().endsWith(".md"))
                .map(Path::normalize)
                .sorted()
                .toList();
    }

    /** Returns all files but generated ones, which come and go while tests run. */
    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(Docs.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return GENERATED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadSomewhere(Path document) {
        List<String> broken =
                links(document).filter(link -> !leadsSomewhere(document, link)).toList();

        assertThat(broken).isEmpty();
    }

    private static Stream<String> links(Path document) {
        return LINK.matcher(Docs.read(document))
                .results()
                .map((MatchResult link) -> link.group(1))
                .filter(link -> !OUTSIDE.matcher(link).matches());
    }

    private static boolean leadsSomewhere(Path document, String link) {
        Path target = target(document, link);
        int anchor = link.indexOf('#');
        return Files.exists(target)
                && (anchor < 0
                        || !target.toString().endsWith(".md")
                        || anchors(target).contains(link.substring(anchor)));
    }

    private static Path target(Path document, String link) {
        String path = link.replaceFirst("#.*", "");
        return path.isEmpty() ? document : document.resolveSibling(path).normalize();
    }

    /** Returns the anchors of a document as GitHub makes them from its headings. */
    private static Set<String> anchors(Path document) {
        return HEADING.matcher(Docs.read(document))
                .results()
                .map((MatchResult heading) -> "#"
                        + heading.group(1)
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                                .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void namedTestsExist(Path document) throws IOException {
        List<String> named = found(TEST.pattern(), Docs.read(document));
        Set<String> sources =
                files().stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());

        assertThat(named).allMatch(test -> sources.contains(test + ".java"));
    }

    @Test
    void testPageLeadsToEachTestOnce() throws IOException {
        List<String> named =
                found("`(\\w+(?:Tests|IT))`", Docs.read(Docs.ROOT.resolve("lock-core/src/test/README.md")));
        List<String> tests = files().stream()
                .map(Path::toString)
                .filter(file -> file.contains("lock-core/src/") || file.contains("lock-spring-boot-autoconfigure/src/"))
                .flatMap(file -> found("(\\w+(?:Tests|IT))\\.(?:java|kt)$", file).stream())
                .toList();

        assertThat(tests).hasSizeGreaterThan(100);
        assertThat(named).containsAll(tests);
        assertThat(tests)
                .allSatisfy(test -> assertThat(Collections.frequency(named, test))
                        .as(test)
                        .isEqualTo(Collections.frequency(tests, test)));
    }

    /** Continuous integration runs the first fenced command of each. */
    @ParameterizedTest
    @ValueSource(strings = {"Test it", "Run it"})
    void readmeHasCommandUnder(String heading) {
        String section = Docs.read(Docs.ROOT.resolve("README.md")).split("\n## " + heading + "\n", 2)[1];

        assertThat(section.split("\n## ", 2)[0]).containsPattern("(?m)^```sh\n./mvnw .*\n```$");
    }

    @Test
    void protocolDescribesEveryWrite() {
        String protocol = Docs.read(Docs.ROOT.resolve("lock-core/PROTOCOL.md"));
        String writes = protocol.split("\n## The writes\n", 2)[1].split("\n## ", 2)[0];

        Set<String> described = found("(?m)^\\| ([a-z ,]+) \\|", writes).stream()
                .flatMap(cell -> Stream.of(cell.split(", ")))
                .collect(Collectors.toSet());

        assertThat(described)
                .contains("revoke") // which is no object
                .containsAll(Stream.of(LockWrite.class.getPermittedSubclasses())
                        .map(write -> write.getSimpleName()
                                .replaceAll("\\B(?=[A-Z])", " ")
                                .toLowerCase(Locale.ROOT))
                        .toList());
    }

    @Test
    void readmeLeadsToEveryPageForUsers() throws IOException {
        Path readme = Docs.ROOT.resolve("README.md").normalize();
        Set<Path> reached = new HashSet<>(Set.of(readme));
        Deque<Path> next = new ArrayDeque<>(reached);
        while (!next.isEmpty()) {
            Path document = next.remove();
            links(document)
                    .map(link -> target(document, link))
                    .filter(target -> target.toString().endsWith(".md"))
                    .filter(reached::add)
                    .forEach(next::add);
        }

        assertThat(reached)
                .containsAll(documents().stream()
                        .filter(document -> document.toString().contains("lock-spring-boot-starter/docs/"))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"java", "spring-boot", "aws-sdk", "dynamodb-local", "kotlin", "shedlock", "spring-cloud-aws"})
    void versionsAreThoseOfTheBuild(String name) {
        List<String> versions = found("<%1$s\\.version>(.*)</%1$s\\.version>".formatted(name), poms());

        assertThat(versions)
                .isNotEmpty()
                .allSatisfy(version ->
                        assertThat(Docs.page("versions.md")).containsPattern("[ ,]" + Pattern.quote(version) + "[ ,]"));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void dependenciesHaveTheVersionsOfTheBuild(Path document) {
        String shown = Docs.read(document);
        String ours = found("<artifactId>dynamolock</artifactId>\\s*<version>(.*)<", poms())
                .get(0);
        String boot = found("<spring-boot\\.version>(.*)<", poms()).get(0);
        String sdk = found("<aws-sdk\\.version>(.*)<", poms()).get(0);

        assertThat(found("lock-(?:spring-boot-starter|core)(?:</artifactId>\\s*<version>|:)([^<\"`)\\s]+)", shown))
                .allMatch(ours::equals);
        assertThat(found("awssdk(?:</groupId>\\s*<artifactId>bom</artifactId>\\s*<version>|:bom:)([^<\"]+)", shown))
                .allMatch(sdk::equals);
        assertThat(found("spring-boot-starter-parent</artifactId>\\s*<version>(.*)<", shown))
                .allMatch(boot::equals);
        assertThat(found("org.springframework.boot\"\\) version \"(.*)\"", shown))
                .allMatch(boot::equals);
    }

    private static String poms() {
        return Docs.read(Docs.ROOT.resolve("pom.xml")) + Docs.read(Path.of("pom.xml"));
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void settingsAreThoseOfTheLibrary(Path document) {
        for (String block : Docs.blocks("yaml", Docs.read(document))) {
            List<String> settings = settings(block);
            if (!settings.isEmpty()) {
                Locking.inMemory()
                        .withPropertyValues(settings.toArray(String[]::new))
                        .withPropertyValues("dynamolock.store=memory")
                        .run(context -> assertThat(context).as(block).hasNotFailed());
            }
        }
    }

    /** Also in texts; the history names former properties. */
    @ParameterizedTest
    @MethodSource("documents")
    void namedPropertiesExist(Path document) {
        String metadata = new BasicJsonTester(DocsTests.class)
                .from("/META-INF/spring-configuration-metadata.json")
                .getJson();
        List<String> known = JsonPath.read(metadata, "$.properties[*].name");

        if (!document.endsWith("CHANGELOG.md")) {
            assertThat(found(KEY, Docs.read(document)))
                    .allSatisfy(key -> assertThat(known).contains("dynamolock." + key));
        }
    }

    private static List<String> settings(String block) {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ByteArrayResource(block.getBytes(StandardCharsets.UTF_8)));
        Properties properties = yaml.getObject();
        List<String> settings = new ArrayList<>();
        if (properties != null) {
            properties.forEach((key, value) -> settings.add(key + "=" + value));
        }
        settings.removeIf(setting -> !setting.startsWith("dynamolock."));
        return settings;
    }
}
