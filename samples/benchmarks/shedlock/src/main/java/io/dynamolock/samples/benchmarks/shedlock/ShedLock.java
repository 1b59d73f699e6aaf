/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.shedlock;

import io.dynamolock.samples.benchmarks.worker.Connection;
import io.dynamolock.samples.benchmarks.worker.Floor;
import io.dynamolock.samples.benchmarks.worker.HeldLock;
import io.dynamolock.samples.benchmarks.worker.Library;
import io.dynamolock.samples.benchmarks.worker.LockClient;
import io.dynamolock.samples.benchmarks.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks of ShedLock. It neither waits nor, with this provider, renews. */
public final class ShedLock implements Library {

    private ShedLock() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new ShedLock(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        Floor.createTable(client, table, "_id");
    }

    @Override
    public LockClient open(Connection connection) {
        return new Locks(new DynamoDBLockProvider(connection.client(), connection.table()), connection.lease());
    }

    private record Locks(DynamoDBLockProvider provider, Duration lease) implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) {
            Instant now = Instant.now();
            return provider.lock(new LockConfiguration(now, name, lease, Duration.ZERO))
                    .map(lock -> new Held(lock, now.plus(lease)))
                    .orElse(null);
        }
    }

    private record Held(SimpleLock lock, Instant until) implements HeldLock {

        @Override
        public boolean isHeld() {
            return Instant.now().isBefore(until);
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
