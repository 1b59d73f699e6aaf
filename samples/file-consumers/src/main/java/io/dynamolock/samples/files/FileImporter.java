/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import io.dynamolock.Lease;
import io.dynamolock.dynamodb.Fencing;
import io.dynamolock.samples.files.Event.Kind;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Stores the lines of a file, and deletes it. */
@Component
public class FileImporter {

    private final LineStore store;

    FileImporter(LineStore store) {
        this.store = store;
    }

    /**
     * Imports a file, or what an earlier holder of its lock has left of it.
     *
     * @param name its name, and that of the lock
     * @param file the file
     * @throws IOException if it cannot be read or deleted
     */
    @DistributedLock("file-#{#name}")
    public void importFile(String name, Path file) throws IOException {
        if (Files.notExists(file)) {
            return; // imported before its lock was acquired here
        }
        Lease lease = Locks.current().orElseThrow();
        Expression fence = Fencing.notFencedOff(lease, LineStore.FENCE);
        List<String> lines = Files.readAllLines(file);
        String middle = lines.get(lines.size() / 2);
        // The first write only stores the token: from then on, earlier holders cannot add to the lines that it returns
        lines.removeAll(store.append(name, List.of(), fence));
        Event.report(Kind.BEGINS, "%s, lines left: %d, token %d".formatted(name, lines.size(), lease.fencingToken()));
        for (String line : lines) {
            lease.ensureHeld();
            if (line.equals(middle)) {
                Event.report(Kind.MIDDLE, line);
                Consumer.awaitLauncher(); // which kills or pauses a process here, between check and write
            }
            append(name, line, fence);
        }
        Files.deleteIfExists(file);
        Event.report(Kind.FINISHED, name);
    }

    private void append(String name, String line, Expression fence) {
        try {
            store.append(name, List.of(line), fence);
        } catch (ConditionalCheckFailedException rejected) {
            Event.report(Kind.REJECTED, line);
            throw rejected;
        }
    }
}
