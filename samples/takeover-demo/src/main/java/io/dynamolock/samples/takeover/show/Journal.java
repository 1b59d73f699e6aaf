/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Append-only file of one process. Each event is one write of one line, so a killed process leaves complete lines and
 * at most one torn line at the end.
 */
final class Journal implements AutoCloseable {

    private static final String SUFFIX = ".journal";

    private final String worker;
    private final OutputStream file;
    private final InstantSource clock;
    private final Consumer<Event> reader;

    private Journal(String worker, OutputStream file, InstantSource clock, Consumer<Event> reader) {
        this.worker = worker;
        this.file = file;
        this.clock = clock;
        this.reader = reader;
    }

    /** Opens the journal of one process; the reader receives each event, too. */
    static Journal open(Path directory, String worker, InstantSource clock, Consumer<Event> reader) throws IOException {
        OutputStream file =
                new FileOutputStream(directory.resolve(worker + SUFFIX).toFile(), true);
        return new Journal(worker, file, clock, reader);
    }

    void add(Kind kind, String lock, long token, String detail) {
        add(new Event(clock.instant(), worker, kind, lock, token, detail));
    }

    void add(Event event) {
        try {
            file.write((event.line() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        reader.accept(event);
    }

    /** Reads all journals of a directory, ordered by time. */
    static List<Event> readAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .flatMap(Journal::read)
                    .sorted(Comparator.comparing(Event::at))
                    .toList();
        }
    }

    private static Stream<Event> read(Path file) {
        try {
            String text = Files.readString(file);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            return whole.lines().map(Event::parse).map(Optional::orElseThrow);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
