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

    /** On a busy machine a process may have finished before another begins; then they count once more. */
    private static final int MOST_ROUNDS = 20;

    private final String table = LocalDynamoDb.newTable();

    @Test
    @Tag("scaled")
    void noIncrementIsLostAndTokensIncrease(@TempDir Path folder) throws Exception {
        Path counter = Files.writeString(folder.resolve("counter"), "0");
        Path journal = Files.createFile(folder.resolve("journal"));
        List<ChildJvm> processes = new ArrayList<>();
        int rounds = 0;
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(ChildJvm.start(table, Duration.ofSeconds(10)));
            }
            for (ChildJvm process : processes) {
                process.whenReady();
            }

            do {
                rounds++;
                count(processes, folder);
            } while (!tookTurns(Files.readAllLines(journal), rounds) && rounds < MOST_ROUNDS);
        } finally {
            processes.forEach(ChildJvm::close);
        }

        List<String> entries = Files.readAllLines(journal);
        assertThat(Files.readString(counter)).isEqualTo(Integer.toString(rounds * PROCESSES * THREADS * TIMES));
        assertThat(entries).hasSize(rounds * PROCESSES * THREADS * TIMES);
        assertThat(entries.stream().map(entry -> Long.parseLong(entry.split(" ", -1)[0])))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(tookTurns(entries, rounds)).isTrue();
    }

    private static void count(List<ChildJvm> processes, Path folder) throws Exception {
        for (ChildJvm process : processes) {
            process.send("count", "job", folder, TIMES);
        }
        for (ChildJvm process : processes) {
            assertThat(process.receive()).isEqualTo("counted");
        }
    }

    private static boolean tookTurns(List<String> entries, int rounds) {
        return changesOfProcess(entries.subList((rounds - 1) * PROCESSES * THREADS * TIMES, entries.size()))
                > PROCESSES;
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
