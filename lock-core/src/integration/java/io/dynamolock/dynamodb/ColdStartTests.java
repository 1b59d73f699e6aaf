/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that start with a quarter of a CPU, as small containers do: their first acquire succeeds. */
@Tag("soak")
@Timeout(1_800)
class ColdStartTests {

    private static final int STARTS = 4;
    private static final int RIVALS = 3;
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Ends with this JVM in any case. */
    private static final String BUSY = "while kill -0 $PPID 2>/dev/null; do :; done";

    private final List<Process> busy = new ArrayList<>();
    private String cpu = "";

    @BeforeEach
    void keepOneProcessorBusy() throws IOException, InterruptedException {
        cpu = lastProcessor();
        assumeTrue(!cpu.isEmpty(), "taskset is missing");
        for (int i = 0; i < RIVALS; i++) {
            busy.add(new ProcessBuilder("taskset", "-c", cpu, "sh", "-c", BUSY).start());
        }
    }

    @AfterEach
    void stop() {
        busy.forEach(Process::destroyForcibly);
    }

    @Test
    void firstAcquireOfSlowProcessSucceeds() throws Exception {
        String table = LocalDynamoDb.newTable();
        List<String> results = new ArrayList<>();

        for (int i = 0; i < STARTS; i++) {
            try (ChildJvm process = ChildJvm.startOn(
                    cpu, ColdChildProcess.class, LocalDynamoDb.endpoint(), table, LEASE.toMillis(), "job-" + i)) {
                results.add(process.receive());
            }
        }

        results.forEach(System.out::println);
        assertThat(busy).allMatch(Process::isAlive);
        assertThat(results).allMatch(result -> result.startsWith("held "));
    }

    /** Returns the last CPU this process may use; empty without {@code taskset}. */
    private static String lastProcessor() throws IOException, InterruptedException {
        try {
            Process taskset = new ProcessBuilder(
                            "taskset",
                            "-cp",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            String line = new String(taskset.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return taskset.waitFor() == 0 ? line.replaceFirst(".*[^0-9]", "") : "";
        } catch (IOException missing) {
            return "";
        }
    }
}
