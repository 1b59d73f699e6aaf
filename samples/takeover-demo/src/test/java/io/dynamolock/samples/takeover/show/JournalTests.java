/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static io.dynamolock.samples.takeover.show.Events.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTests {

    private final List<Event> read = new ArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void givesBackWhatAllProcessesWroteInTheOrderOfTime() throws IOException {
        write("w1", 2, "report-caf\u00e9");
        write("w2", 1, "job-x");

        List<Event> events = Journal.readAll(directory);

        assertThat(events)
                .containsExactly(
                        new Event(at(1), "w2", Kind.ENTERED, "job-x", 7, ""),
                        new Event(at(2), "w1", Kind.ENTERED, "report-caf\u00e9", 7, ""));
        assertThat(read).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void hasEachLineInTheFileBeforeItIsClosed() throws IOException {
        try (Journal journal = journal("w1", 1)) {
            journal.add(Kind.ENTERED, "job-x", 7, "");

            assertThat(Journal.readAll(directory)).hasSize(1);
        }
    }

    @Test
    void passesOverTheTornLastLineOfAKilledProcess() throws IOException {
        write("w1", 1, "job-x");
        Files.writeString(directory.resolve("w1.journal"), "2026-01-01T00:00:0", StandardOpenOption.APPEND);

        assertThat(Journal.readAll(directory)).hasSize(1);
    }

    @Test
    void rejectsAWholeLineThatIsNoEvent() throws IOException {
        Files.writeString(directory.resolve("w1.journal"), "nonsense\n");

        assertThatThrownBy(() -> Journal.readAll(directory)).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void takesOtherTextForNoEvent() {
        assertThat(Event.parse("WARN DynamolockAutoConfiguration: locking is off"))
                .isEmpty();
        assertThat(Event.parse("yesterday\tw1\tENTERED\tjob-x\t1\t")).isEmpty();
        assertThat(Event.parse("2026-01-01T00:00:00Z\tw1\tVANISHED\tjob-x\t1\t"))
                .isEmpty();
        assertThat(Event.parse("2026-01-01T00:00:00Z\tw1\tENTERED\tjob-x\tone\t"))
                .isEmpty();
    }

    private void write(String worker, double second, String lock) throws IOException {
        try (Journal journal = journal(worker, second)) {
            journal.add(Kind.ENTERED, lock, 7, "");
        }
    }

    private Journal journal(String worker, double second) throws IOException {
        return Journal.open(directory, worker, InstantSource.fixed(at(second)), read::add);
    }
}
