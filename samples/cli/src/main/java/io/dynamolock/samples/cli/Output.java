/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/** Finds out whether the output has arrived: a stream for printing hides its failures. */
final class Output {

    private static final String UNKNOWN = "unknown reason";

    private Output() {}

    /** Returns why standard output is incomplete; null if it is not, or if the reader of a pipe has seen enough. */
    @SuppressWarnings("SystemOut") // compared only
    static @Nullable String failure(PrintStream out) {
        if (!out.checkError()) {
            return null;
        }
        String reason = out == System.out ? reasonOfStandardOutput() : UNKNOWN;
        return reason.equals(reasonOfClosedPipe()) ? null : "the output is incomplete: " + reason;
    }

    /** Fails as the last write did. */
    @SuppressWarnings("resource") // standard output stays open
    private static String reasonOfStandardOutput() {
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            return UNKNOWN;
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        }
    }

    /**
     * The message for a pipe that nobody reads is the operating system's, in the language of the user. On Windows, where
     * this pipe is a pair of sockets, the message differs: standard output that nobody reads any more is a failure there.
     */
    private static String reasonOfClosedPipe() {
        try {
            Pipe pipe = Pipe.open();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                pipe.source().close();
                sink.write(ByteBuffer.allocate(1));
                return "";
            }
        } catch (IOException failure) {
            return String.valueOf(failure.getMessage());
        }
    }
}
