/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;

/**
 * A proxy for HTTP/1.1 in front of DynamoDB Local: it delays responses, and loses some of them by closing the connection after
 * the request was applied. Listens on the loopback address only.
 */
final class Network implements AutoCloseable {

    private static final int BACKLOG = 1_000;
    private static final String LENGTH = "content-length:";

    private final ServerSocket server;
    private final int target;
    private volatile Behavior behavior = new Behavior(0, 0);
    private volatile Random random = new Random(1);

    /**
     * What the network does.
     *
     * @param delayMillis how long each response takes
     * @param lostPercent how many get lost
     */
    record Behavior(long delayMillis, int lostPercent) {}

    Network(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        start(this::accept, "network");
    }

    int port() {
        return server.getLocalPort();
    }

    /** Starts anew: processes that send one request at a time lose the same responses. */
    void set(Behavior behavior) {
        this.behavior = behavior;
        this.random = new Random(1);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                start(() -> serve(client), "connection");
            }
        } catch (IOException closed) {
            // by close()
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target)) {
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            InputStream requests = new BufferedInputStream(client.getInputStream());
            InputStream responses = new BufferedInputStream(upstream.getInputStream());
            while (true) {
                send(message(requests), upstream.getOutputStream());
                byte[] response = message(responses);
                Thread.sleep(behavior.delayMillis());
                if (random.nextInt(100) < behavior.lostPercent()) {
                    return;
                }
                send(response, client.getOutputStream());
            }
        } catch (IOException | InterruptedException ended) {
            // one of both has closed the connection
        }
    }

    private static void send(byte[] message, OutputStream to) throws IOException {
        to.write(message);
        to.flush();
    }

    /** Reads a message with its body, which has a given length or comes in chunks. */
    private static byte[] message(InputStream from) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream(1_024);
        int length = 0;
        boolean chunked = false;
        for (String line = line(from, message); !line.isEmpty(); line = line(from, message)) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith(LENGTH)) {
                length = Integer.parseInt(header.substring(LENGTH.length()).strip());
            }
            chunked |= header.startsWith("transfer-encoding:") && header.contains("chunked");
        }
        if (chunked) {
            int size;
            do {
                size = Integer.parseInt(line(from, message), 16);
                message.write(from.readNBytes(size));
                line(from, message);
            } while (size > 0);
        } else {
            message.write(from.readNBytes(length));
        }
        return message.toByteArray();
    }

    private static String line(InputStream from, ByteArrayOutputStream message) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(64);
        for (int next = from.read(); next != '\n'; next = from.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.write(next);
        }
        line.writeTo(message);
        message.write('\n');
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
