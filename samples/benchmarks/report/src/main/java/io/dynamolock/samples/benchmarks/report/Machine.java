/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Describes the machine. */
final class Machine {

    private static final Path CPUS = Path.of("/proc/cpuinfo");

    private Machine() {}

    static String describe() throws IOException {
        long memory = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        return "%d cores%s, %d GB, %s %s; %s %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        model(),
                        Math.round(memory / 1e9),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.vm.name"),
                        Runtime.version());
    }

    private static String model() throws IOException {
        if (!Files.exists(CPUS)) {
            return "";
        }
        try (Stream<String> lines = Files.lines(CPUS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> " (" + line.replaceFirst(".*:", "").strip() + ")")
                    .findFirst()
                    .orElse("");
        }
    }
}
