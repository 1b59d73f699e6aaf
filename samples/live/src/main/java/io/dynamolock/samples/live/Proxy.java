/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;

/** The connection of one process to DynamoDB Local: passes all bytes on, unless it is disturbed. */
final class Proxy implements AutoCloseable {

    private final URI dynamoDb;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    private volatile boolean tableAway;
    private volatile boolean answersLost;

    Proxy(URI dynamoDb) throws IOException {
        this.dynamoDb = dynamoDb;
        start(this::accept);
    }

    URI endpoint() {
        return URI.create("http://localhost:" + server.getLocalPort());
    }

    /** Closes each connection before a request gets through. */
    void takeTableAway(boolean away) {
        tableAway = away;
    }

    /** Lets requests through, and closes their connections before a response gets back. */
    void loseAnswers(boolean lost) {
        answersLost = lost;
    }

    boolean losesAnswers() {
        return answersLost;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket process = server.accept();
                if (tableAway) {
                    process.close();
                    continue;
                }
                Socket table = new Socket(dynamoDb.getHost(), dynamoDb.getPort());
                start(() -> pass(process, table, false));
                start(() -> pass(table, process, true));
            } catch (SocketException closed) {
                // the process or the table has ended, or this proxy has been closed
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[8_192];
        try (from;
                to) {
            int count = from.getInputStream().read(bytes);
            while (count >= 0 && !tableAway && !(answers && answersLost)) {
                to.getOutputStream().write(bytes, 0, count);
                count = from.getInputStream().read(bytes);
            }
        } catch (IOException closed) {
            // by the other direction, or by one of the two processes
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
