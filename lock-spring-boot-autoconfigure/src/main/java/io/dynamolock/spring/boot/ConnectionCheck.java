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
import software.amazon.awssdk.core.SdkClient;

/** Compares the connection limit of a client with the number of connections that its lock managers need in total. */
final class ConnectionCheck {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionCheck.class);

    private record Use(SdkClient client, String manager, DynamoDbLockStore store, long connections) {}

    private final List<Use> uses = new ArrayList<>();

    synchronized void add(SdkClient client, ManagerProperties manager, DynamoDbLockStore store) {
        long connections = LockSettingsMapper.lockSettings(manager).connections();
        uses.add(new Use(client, manager.manager(), store, connections));
    }

    /** Logs one warning for each client with too few connections. Ignores clients with an unknown limit. */
    synchronized void warn() {
        while (!uses.isEmpty()) {
            Use first = uses.get(0);
            List<Use> sharing = new ArrayList<>(uses);
            sharing.removeIf(use -> use.client() != first.client());
            uses.removeIf(use -> use.client() == first.client());
            long needed = 0;
            OptionalInt limit = OptionalInt.empty();
            for (Use use : sharing) {
                needed += use.connections();
                limit = limit.isPresent() ? limit : use.store().table().clientConnections();
            }
            if (limit.isPresent()) {
                warn(sharing, needed, limit.getAsInt());
            }
        }
    }

    private static void warn(List<Use> sharing, long needed, int limit) {
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
