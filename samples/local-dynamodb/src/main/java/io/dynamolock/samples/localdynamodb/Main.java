/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Runs DynamoDB Local until the process is stopped. */
public final class Main {

    /** Ends the process with its standard input, so that it does not outlive the process that started it. */
    static final String UNTIL_INPUT_ENDS = "--until-input-ends";

    private static final int DEFAULT_PORT = 8000;

    private Main() {}

    /**
     * Starts the server, and prints its address and terms.
     *
     * @param args the port, 8000 by default; 0 for any free one
     * @throws IOException if standard input cannot be read
     * @throws InterruptedException if this thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // no warning about a missing SLF4J provider
        List<String> options = List.of(args);
        LocalDynamoDb server = LocalDynamoDb.start(port(options));
        System.out.println(notice(server));
        if (options.contains(UNTIL_INPUT_ENDS)) {
            System.in.transferTo(OutputStream.nullOutputStream());
            server.close();
        } else {
            Thread.currentThread().join(); // forever
        }
    }

    static int port(List<String> options) {
        List<String> given = options.stream()
                .filter(option -> !option.equals(UNTIL_INPUT_ENDS))
                .toList();
        if (given.size() > 1 || !given.stream().allMatch(port -> port.matches("\\d{1,5}"))) {
            throw new IllegalArgumentException(
                    "The only argument is the port, such as 8001, not '" + String.join(" ", given) + "'");
        }
        return given.isEmpty() ? DEFAULT_PORT : Integer.parseInt(given.get(0));
    }

    private static String notice(LocalDynamoDb server) {
        return "WARN: DynamoDB Local listens on " + server.endpoint() + ", for this machine only. It is a test double:"
                + " it accepts any credentials, and its data is in memory and lost when it stops. Amazon's DynamoDB Local"
                + " License Agreement applies: only with an AWS account in good standing, not to be distributed.";
    }
}
