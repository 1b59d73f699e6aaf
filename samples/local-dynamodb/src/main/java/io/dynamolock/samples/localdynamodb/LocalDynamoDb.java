/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * DynamoDB Local in this JVM: in memory, without telemetry. Its data is lost when it is closed.
 *
 * <p>It accepts any credentials, so it listens on the loopback address only: other machines cannot reach it.
 */
final class LocalDynamoDb implements AutoCloseable {

    private final DynamoDBProxyServer server;
    private final ServerConnector connector;

    private LocalDynamoDb(DynamoDBProxyServer server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts a server.
     *
     * @param port the port; 0 for any free one
     * @throws IllegalStateException if it cannot be started
     */
    static LocalDynamoDb start(int port) {
        LocalDynamoDBServerHandler handler =
                new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, true, false), null);
        DynamoDBProxyServer server = new DynamoDBProxyServer(port, handler);
        ServerConnector connector = onLoopback(handler.getServer());
        LocalDynamoDb local = new LocalDynamoDb(server, connector);
        try {
            server.safeStart();
            return local;
        } catch (Exception failure) {
            local.close();
            throw new IllegalStateException(
                    "DynamoDB Local did not start on port " + port + ": " + failure.getMessage(), failure);
        }
    }

    /** By default Jetty listens on every address of the machine. */
    private static ServerConnector onLoopback(Server jetty) {
        Connector[] connectors = jetty.getConnectors();
        if (connectors.length != 1 || !(connectors[0] instanceof ServerConnector connector)) {
            throw new IllegalStateException("DynamoDB Local has unknown connectors: " + Arrays.toString(connectors));
        }
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        return connector;
    }

    /** The address for clients on this machine. */
    URI endpoint() {
        return URI.create("http://localhost:" + connector.getLocalPort());
    }

    /** Stops the server. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failure) {
            throw new IllegalStateException("DynamoDB Local did not stop: " + failure.getMessage(), failure);
        }
    }
}
