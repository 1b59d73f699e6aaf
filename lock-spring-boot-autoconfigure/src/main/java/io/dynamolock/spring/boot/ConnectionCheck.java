/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Compares the connection limit of a client with the number of connections that its lock managers need in total. */
final class ConnectionCheck {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCheck.class);

    private record Use(DynamoDbClient client, String manager, DynamoDbLockStore store, long connections) {}

    private final List<Use> uses = new ArrayList<>();

    synchronized void add(DynamoDbClient client, ManagerProperties manager, DynamoDbLockStore store) {
        long connections = LockSettingsMapper.lockSettings(manager).connections();
        uses.add(new Use(client, manager.manager(), store, connections));
    }

    /** Logs one warning for each client with too few connections. Ignores clients with an unknown limit. */
    synchronized void warn() {
        while (!uses.isEmpty()) {
            DynamoDbClient client = uses.get(0).client();
            List<Use> sharing =
                    uses.stream().filter(use -> use.client() == client).toList();
            uses.removeAll(sharing);
            sharing.stream()
                    .map(use -> use.store().table().clientConnections())
                    .filter(OptionalInt::isPresent)
                    .findFirst()
                    .ifPresent(limit -> warn(sharing, limit.getAsInt()));
        }
    }

    private static void warn(List<Use> sharing, int limit) {
        long needed = sharing.stream().mapToLong(Use::connections).sum();
        if (needed > limit) {
            LOG.warn(
                    "The DynamoDbClient of the lock managers {} has at most {} connections, but they need up to {}: renewals may"
                            + " wait for a connection and be late. Raise maxConnections of its HTTP client, or lower"
                            + " dynamolock.heartbeat.threads or dynamolock.client.max-concurrent-requests",
                    sharing.stream().map(Use::manager).toList(),
                    limit,
                    needed);
        }
    }
}
