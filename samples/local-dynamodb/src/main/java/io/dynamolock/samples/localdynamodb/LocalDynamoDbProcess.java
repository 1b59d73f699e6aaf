/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * DynamoDB Local in a separate process, on any free port, with the class path of this one. It ends with this process at the
 * latest.
 */
public final class LocalDynamoDbProcess implements AutoCloseable {

    private static final Pattern ENDPOINT = Pattern.compile("http://localhost:\\d+");

    private final Process process;
    private final URI endpoint;

    private LocalDynamoDbProcess(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /**
     * Starts the process, and waits until the server responds.
     *
     * @return the running server
     * @throws IOException if the process cannot be started, or ends immediately
     */
    public static LocalDynamoDbProcess start() throws IOException {
        Process process =
                new ProcessBuilder(command()).redirectErrorStream(true).start();
        try {
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            URI endpoint = endpoint(output);
            drain(output);
            return new LocalDynamoDbProcess(process, endpoint);
        } catch (IOException | RuntimeException failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlogback.configurationFile=io/dynamolock/samples/localdynamodb/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "0",
                Main.UNTIL_INPUT_ENDS);
    }

    private static URI endpoint(BufferedReader output) throws IOException {
        StringBuilder printed = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher found = ENDPOINT.matcher(line);
            if (found.find()) {
                return URI.create(found.group());
            }
            printed.append(line).append(System.lineSeparator());
        }
        throw new IOException("DynamoDB Local did not start: " + printed);
    }

    /** A full pipe would block the server. */
    private static void drain(BufferedReader output) {
        Thread reader = new Thread(() -> output.lines().forEach(line -> {}), "local-dynamodb-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Returns the address of the server.
     *
     * @return an address of this machine
     */
    public URI endpoint() {
        return endpoint;
    }

    /** Kills the process, and waits for its end. Its data is lost. */
    @Override
    public void close() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
