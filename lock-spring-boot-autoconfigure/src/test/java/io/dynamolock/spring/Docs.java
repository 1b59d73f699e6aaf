/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The pages for users, and the code that they show. */
public final class Docs {

    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");
    private static final Pattern BLOCK = Pattern.compile("(?m)^\\h*```(\\w+)\\R((?s:.*?))^\\h*```");

    /** The root of the project, as seen from a module. */
    public static final Path ROOT = Path.of("..");

    private Docs() {}

    /** Returns the text of a page, by its path in the folder of the pages. */
    public static String page(String path) {
        return read(ROOT.resolve("lock-spring-boot-starter/docs").resolve(path));
    }

    /** Returns the text of a file. */
    public static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** Returns the source of a test in this module. */
    public static String source(Class<?> test) {
        return read(Path.of("src/test/java", test.getName().replace('.', '/') + ".java"));
    }

    /** Returns the blocks of a language in a text, in order. */
    public static List<String> blocks(String language, String text) {
        return BLOCK.matcher(text)
                .results()
                .filter((MatchResult block) -> block.group(1).equals(language))
                .map((MatchResult block) -> block.group(2).stripIndent().strip())
                .toList();
    }

    /**
     * Asserts that a text has so many blocks of Java, and that each is code of a test, in whatever lines, after any
     * imports of the test.
     */
    public static void assertCodeIsThatOf(Class<?> test, String text, int blocks) {
        String source = source(test);
        assertThat(blocks("java", text)).hasSize(blocks).allSatisfy(code -> {
            assertThat(source.lines())
                    .containsAll(IMPORT.matcher(code)
                            .results()
                            .map(MatchResult::group)
                            .toList());
            assertThat(withoutLineBreaks(source))
                    .contains(withoutLineBreaks(IMPORT.matcher(code).replaceAll("")));
        });
    }

    private static String withoutLineBreaks(String code) {
        return code.replaceAll("\\s+", "");
    }
}
