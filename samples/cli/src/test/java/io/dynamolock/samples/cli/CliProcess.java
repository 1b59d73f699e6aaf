/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line in a process of its own. */
final class CliProcess implements AutoCloseable {

    private static final Map<String, String> CREDENTIALS = Map.of(
            "AWS_REGION", TestTable.REGION, "AWS_ACCESS_KEY_ID", TestTable.KEY, "AWS_SECRET_ACCESS_KEY", TestTable.KEY);

    private final Process process;
    private final Path out;
    private final Path err;

    private CliProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts the classes of this build on a table. */
    static CliProcess start(Path folder, TestTable table, String command, String... args) throws IOException {
        return start(folder, List.of(), TestTable.endpoint(), table, command, args);
    }

    /** Starts the classes of this build as an argument of another program. */
    static CliProcess start(
            Path folder, List<String> wrapper, URI endpoint, TestTable table, String command, String... args)
            throws IOException {
        List<String> line = new ArrayList<>(wrapper);
        line.add(java());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        Collections.addAll(line, Run.line(endpoint, table, command, args));
        return run(folder, line);
    }

    static CliProcess run(Path folder, List<String> line) throws IOException {
        return run(folder, line, Map.of());
    }

    static CliProcess run(Path folder, List<String> line, Map<String, String> environment) throws IOException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(CREDENTIALS);
        builder.environment().putAll(environment);
        return new CliProcess(builder.start(), out, err);
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Sends a signal, to this process only. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end, and returns the exit code. */
    int end() throws InterruptedException {
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            throw new AssertionError("still alive");
        }
        return process.exitValue();
    }

    String out() throws IOException {
        return Files.readString(out);
    }

    String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly();
    }
}
