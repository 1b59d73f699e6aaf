/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A process of a test: its own client with the SDK's default settings, a manager, and the events of its listener. */
final class DynamoDbNode implements AutoCloseable {

    final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    final DynamoDbClient client = LocalDynamoDb.newClient().httpClient(http).build();
    final RecordingListener events = new RecordingListener();
    final LockManager locks;

    private DynamoDbNode(String table, Consumer<LockManagerBuilder> settings) {
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(client).tableName(table).build();
        LockManagerBuilder builder =
                LockManager.builder(store).shutdownGrace(Duration.ZERO).listener(events);
        settings.accept(builder);
        this.locks = builder.build();
    }

    /** Creates a process that renews nothing automatically during a test. */
    static DynamoDbNode on(String table) {
        return on(table, DynamoDbNode::withLongLeases);
    }

    static void withLongLeases(LockManagerBuilder settings) {
        settings.leaseDuration(Duration.ofMinutes(10));
    }

    /** Creates a process whose client is warm and which knows the store's time; its request count starts at zero. */
    static DynamoDbNode on(String table, Consumer<LockManagerBuilder> settings) {
        DynamoDbNode node = cold(table, settings);
        node.locks.inspect("warm-up");
        node.http.forget();
        return node;
    }

    /** Creates a process that has not sent any request. */
    static DynamoDbNode cold(String table, Consumer<LockManagerBuilder> settings) {
        return new DynamoDbNode(table, settings);
    }

    /** Acquires a lock that must be free. */
    Lease take(String name) {
        return locks.tryAcquire(name).orElseThrow();
    }

    boolean isRejected(String name) {
        Optional<Lease> lease = locks.tryAcquire(name);
        lease.ifPresent(Lease::release);
        return lease.isEmpty();
    }

    List<String> requests() {
        return http.attempts().stream().map(FaultyHttpClient.Attempt::operation).toList();
    }

    @Override
    public void close() {
        http.always(Fault.none());
        locks.close();
        client.close();
    }
}
