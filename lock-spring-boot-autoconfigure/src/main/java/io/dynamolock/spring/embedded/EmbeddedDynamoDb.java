/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.embedded;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local in this JVM: in memory, without telemetry, and quiet. Everything in it is gone when it is closed.
 *
 * <p>Needs {@code software.amazon.dynamodb:DynamoDBLocal} on the class path.
 *
 * @since 0.1
 */
public final class EmbeddedDynamoDb implements AutoCloseable {

    private static final int TRIES = 10;

    private final DynamoDBProxyServer server;
    private final int port;

    private EmbeddedDynamoDb(DynamoDBProxyServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts a server.
     *
     * @param port to listen on; 0 for any free one
     * @return the running server
     * @throws IllegalStateException if it cannot be started
     */
    public static EmbeddedDynamoDb start(int port) {
        try {
            return ServerLogs.quietly(() -> port == 0 ? startOnAnyPort() : startOn(port));
        } catch (Exception failure) {
            throw new IllegalStateException(
                    "DynamoDB Local did not start on port " + port + ": " + failure.getMessage(), failure);
        }
    }

    private static EmbeddedDynamoDb startOnAnyPort() throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                return startOn(freePort());
            } catch (IOException taken) { // by another process, between looking and starting
                if (tries == TRIES) {
                    throw taken;
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static EmbeddedDynamoDb startOn(int port) throws Exception {
        LocalDynamoDBRequestHandler requests = new LocalDynamoDBRequestHandler(0, true, null, true, false);
        DynamoDBProxyServer server = new DynamoDBProxyServer(port, new LocalDynamoDBServerHandler(requests, null));
        try {
            server.safeStart();
        } catch (Exception failure) {
            server.stop();
            throw failure;
        }
        return new EmbeddedDynamoDb(server, port);
    }

    /**
     * Returns where the server listens.
     *
     * @return an address of this machine
     */
    public URI endpoint() {
        return URI.create("http://localhost:" + port);
    }

    /** Stops the server. */
    @Override
    public void close() {
        try {
            ServerLogs.quietly(() -> {
                server.stop();
                return this;
            });
        } catch (Exception failure) {
            throw new IllegalStateException("DynamoDB Local did not stop: " + failure.getMessage(), failure);
        }
    }
}
