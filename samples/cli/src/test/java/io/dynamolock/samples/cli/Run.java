/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command has printed, and its exit code.
 *
 * @param exitCode the exit code
 * @param out its standard output, without that of a locked command
 * @param err its standard error
 */
record Run(int exitCode, String out, String err) {

    static {
        System.setProperty("aws.region", TestTable.REGION);
        System.setProperty("aws.accessKeyId", TestTable.KEY);
        System.setProperty("aws.secretAccessKey", TestTable.KEY);
    }

    /** Runs a command in this JVM. */
    static Run of(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Dynamolock program = new Dynamolock(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int exitCode = program.run(args);
        return new Run(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs a command on a table. */
    static Run on(TestTable table, String command, String... args) {
        return of(line(TestTable.endpoint(), table, command, args));
    }

    /** The command line with the options for a table. */
    static String[] line(URI endpoint, TestTable table, String command, String... args) {
        List<String> line = new ArrayList<>();
        line.addAll(List.of(command, "--table", table.name(), "--endpoint", endpoint.toString()));
        line.addAll(List.of(args));
        return line.toArray(String[]::new);
    }
}
