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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Samples show what an application may use: the public API of the core, and that of the starter. */
class SampleImportsTests {

    private static final Pattern INTERNAL = Pattern.compile("import (static )?io\\.dynamolock\\.("
            + "time\\.(?!TestClock;)|spring\\.(boot|endpoint|health|interceptor|metrics)\\.).*");

    @Test
    void samplesImportPublicApiOnly() throws IOException {
        List<String> internal = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("../samples"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> INTERNAL.matcher(line).matches())
                        .forEach(line -> internal.add(file + ": " + line));
            }
        }

        assertThat(internal).isEmpty();
    }
}
