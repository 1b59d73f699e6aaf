/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.awslabs;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import com.amazonaws.services.dynamodbv2.model.LockCurrentlyUnavailableException;
import io.dynamolock.samples.benchmarks.worker.Connection;
import io.dynamolock.samples.benchmarks.worker.Floor;
import io.dynamolock.samples.benchmarks.worker.HeldLock;
import io.dynamolock.samples.benchmarks.worker.Library;
import io.dynamolock.samples.benchmarks.worker.LockClient;
import io.dynamolock.samples.benchmarks.worker.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks of awslabs' client. A try skips the wait of a lease that it else begins with; a waiter polls at its default rate. */
public final class Awslabs implements Library {

    private Awslabs() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new Awslabs(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        Floor.createTable(client, table, "key");
    }

    @Override
    public LockClient open(Connection connection) {
        long leaseMillis = connection.lease().toMillis();
        return new Locks(new AmazonDynamoDBLockClient(
                AmazonDynamoDBLockClientOptions.builder(connection.client(), connection.table())
                        .withTimeUnit(TimeUnit.MILLISECONDS)
                        .withLeaseDuration(leaseMillis)
                        .withHeartbeatPeriod(leaseMillis / 3)
                        .withCreateHeartbeatBackgroundThread(true)
                        .build()));
    }

    private record Locks(AmazonDynamoDBLockClient client) implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) throws InterruptedException {
            return acquire(AcquireLockOptions.builder(name)
                    .withShouldSkipBlockingWait(true)
                    .build());
        }

        @Override
        public @Nullable HeldLock acquire(String name, Duration atMost) throws InterruptedException {
            return acquire(AcquireLockOptions.builder(name)
                    .withTimeUnit(TimeUnit.MILLISECONDS)
                    .withAdditionalTimeToWaitForLock(atMost.toMillis())
                    .build());
        }

        private @Nullable HeldLock acquire(AcquireLockOptions options) throws InterruptedException {
            try {
                return client.tryAcquireLock(options)
                        .map(item -> new Held(client, item))
                        .orElse(null);
            } catch (LockCurrentlyUnavailableException busy) {
                return null;
            }
        }
    }

    private record Held(AmazonDynamoDBLockClient client, LockItem item) implements HeldLock {

        @Override
        public boolean isHeld() {
            return !item.isExpired();
        }

        @Override
        public void release() {
            client.releaseLock(item);
        }
    }
}
