/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Scale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two or three processes with eight threads each, and one lock. */
class ExclusionAcrossProcessesTests {

    private static final int PROCESSES = (int) Scale.of(2, 3);
    private static final int THREADS = 8;
    private static final int TIMES = (int) Scale.of(3, 6);

    private final String table = LocalDynamoDb.newTable();

    @Test
    @Tag("scaled")
    void noIncrementIsLostAndTokensIncrease(@TempDir Path folder) throws Exception {
        Path counter = Files.writeString(folder.resolve("counter"), "0");
        Path journal = Files.createFile(folder.resolve("journal"));
        List<ChildJvm> processes = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(ChildJvm.start(table, Duration.ofSeconds(10)));
            }
            for (ChildJvm process : processes) {
                process.whenReady();
            }

            for (ChildJvm process : processes) {
                process.send("count", "job", folder, TIMES);
            }
            for (ChildJvm process : processes) {
                assertThat(process.receive()).isEqualTo("counted");
            }
        } finally {
            processes.forEach(ChildJvm::close);
        }

        List<String> entries = Files.readAllLines(journal);
        assertThat(Files.readString(counter)).isEqualTo(Integer.toString(PROCESSES * THREADS * TIMES));
        assertThat(entries).hasSize(PROCESSES * THREADS * TIMES);
        assertThat(entries.stream().map(entry -> Long.parseLong(entry.split(" ", -1)[0])))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(changesOfProcess(entries)).isGreaterThan(PROCESSES);
    }

    private static int changesOfProcess(List<String> entries) {
        int changes = 0;
        String last = "";
        for (String entry : entries) {
            String process = entry.split(" ", -1)[1];
            changes += process.equals(last) ? 0 : 1;
            last = process;
        }
        return changes;
    }
}
