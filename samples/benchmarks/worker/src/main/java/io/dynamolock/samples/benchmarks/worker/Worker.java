/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A process under test. It is started with arguments {@code key=value}, among them {@code scenario}, and speaks with the process
 * that started it by lines: it prints {@link #READY}, waits for {@link #GO}, and prints {@link #RESULT} with its figures.
 */
public final class Worker {

    /** Printed when the process is prepared. */
    public static final String READY = "@ready";

    /** Read when the scenario may begin. */
    public static final String GO = "@go";

    /** Printed with the figures, {@code key=value} or {@code key=value,value}, separated by blanks. */
    public static final String RESULT = "@result";

    /** Printed with a text for the operator. */
    public static final String NOTE = "@note";

    /** The scenario that only creates the table. */
    public static final String CREATE_TABLE = "create-table";

    private final CountDownLatch start = new CountDownLatch(1);

    private Worker() {}

    /**
     * Runs a scenario, and ends this process.
     *
     * @param library the library under test
     * @param args see above
     */
    public static void run(Library library, String... args) {
        Worker worker = new Worker();
        Thread input = new Thread(worker::readInput, "input");
        input.setDaemon(true);
        input.start();
        try {
            worker.run(library, new Arguments(args));
            System.exit(0);
        } catch (Throwable failure) { // also an error, or the other process would wait
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void run(Library library, Arguments arguments) throws Exception {
        Connection connection = new Connection(arguments);
        String scenario = arguments.text("scenario");
        Figures figures = new Figures();
        if (scenario.equals(CREATE_TABLE)) {
            try (DynamoDbClient client = connection.client()) {
                library.createTable(client, connection.table());
            }
        } else {
            Run run = new Run(this, arguments, connection, library.open(connection), figures);
            Scenarios.named(scenario).play(run);
        }
        System.out.println(RESULT + " " + figures);
    }

    /** Reports that all is prepared, and waits for the start. */
    void awaitStart() throws InterruptedException {
        System.out.println(READY);
        start.await();
    }

    /** Ends this process with the one that started it. */
    private void readInput() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(GO)) {
                    start.countDown();
                }
            }
        } catch (IOException ended) {
            // as if it had ended
        }
        Runtime.getRuntime().halt(1);
    }
}
