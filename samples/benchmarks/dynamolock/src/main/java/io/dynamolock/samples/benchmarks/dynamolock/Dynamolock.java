/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.dynamolock;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.samples.benchmarks.worker.Connection;
import io.dynamolock.samples.benchmarks.worker.HeldLock;
import io.dynamolock.samples.benchmarks.worker.Library;
import io.dynamolock.samples.benchmarks.worker.LockClient;
import io.dynamolock.samples.benchmarks.worker.Worker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks of this library, with its defaults. */
public final class Dynamolock implements Library {

    private Dynamolock() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new Dynamolock(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        DynamoDbLockStore.builder(client).tableName(table).build().table().createIfMissing(Duration.ofMinutes(1));
    }

    @Override
    public LockClient open(Connection connection) {
        DynamoDbClient client =
                connection.hasRetries() ? connection.client() : connection.client(DynamoDbLockStore::configureClient);
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(client).tableName(connection.table()).build();
        return new Locks(
                LockManager.builder(store).leaseDuration(connection.lease()).build());
    }

    private record Locks(LockManager manager) implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) {
            return manager.tryAcquire(name).map(Held::new).orElse(null);
        }

        @Override
        public @Nullable HeldLock acquire(String name, Duration atMost) throws InterruptedException {
            return manager.tryAcquire(name, atMost).map(Held::new).orElse(null);
        }
    }

    private record Held(Lease lease) implements HeldLock {

        @Override
        public boolean isHeld() {
            return lease.isHeld();
        }

        @Override
        public void release() {
            lease.release();
        }
    }
}
