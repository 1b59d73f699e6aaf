/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class LocalDynamoDbTests {

    @Test
    void responsesOnLoopback() throws Exception {
        try (LocalDynamoDb server = LocalDynamoDb.start(0);
                DynamoDbClient client =
                        LocalDynamoDbProcess.client(server.endpoint()).build()) {
            assertThat(client.listTables().tableNames()).isEmpty();
        }
    }

    @Test
    void refusesConnectionsToOtherAddressesOfThisMachine() throws Exception {
        List<InetAddress> addresses = addressesOtherThanLoopback();
        assumeFalse(addresses.isEmpty(), "this machine has only a loopback address");

        try (LocalDynamoDb server = LocalDynamoDb.start(0)) {
            int port = server.endpoint().getPort();

            assertThat(addresses)
                    .allSatisfy(address ->
                            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect(address, port)));
        }
    }

    @Test
    void listensOnTheGivenPortUntilClosed() throws Exception {
        int port = freePort();

        LocalDynamoDb server = LocalDynamoDb.start(port);
        assertThat(server.endpoint()).hasPort(port);
        connect(InetAddress.getLoopbackAddress(), port);
        server.close();

        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connect(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void rejectsAPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> LocalDynamoDb.start(taken.getLocalPort()))
                    .withMessageContaining("port " + taken.getLocalPort());
        }
    }

    private static List<InetAddress> addressesOtherThanLoopback() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress())
                .toList();
    }

    private static void connect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 60_000);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
