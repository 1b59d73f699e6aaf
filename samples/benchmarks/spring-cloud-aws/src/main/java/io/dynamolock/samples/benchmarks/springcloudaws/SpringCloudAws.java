/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.springcloudaws;

import io.awspring.cloud.dynamodb.DynamoDbLockRegistry;
import io.awspring.cloud.dynamodb.DynamoDbLockRepository;
import io.dynamolock.samples.benchmarks.worker.Connection;
import io.dynamolock.samples.benchmarks.worker.Floor;
import io.dynamolock.samples.benchmarks.worker.HeldLock;
import io.dynamolock.samples.benchmarks.worker.Library;
import io.dynamolock.samples.benchmarks.worker.LockClient;
import io.dynamolock.samples.benchmarks.worker.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks of Spring Cloud AWS's registry for Spring Integration, with its defaults. Nothing renews them by itself. */
public final class SpringCloudAws implements Library {

    private SpringCloudAws() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new SpringCloudAws(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        Floor.createTable(client, table, DynamoDbLockRepository.KEY_ATTR);
    }

    @Override
    public LockClient open(Connection connection) {
        DynamoDbLockRepository repository = new DynamoDbLockRepository(connection.asyncClient(), connection.table());
        repository.afterPropertiesSet();
        DynamoDbLockRegistry registry = new DynamoDbLockRegistry(repository);
        registry.setTimeToLive(connection.lease());
        return new Locks(registry, repository);
    }

    private record Locks(DynamoDbLockRegistry registry, DynamoDbLockRepository repository) implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) {
            Lock lock = registry.obtain((Object) name);
            return lock.tryLock() ? new Held(this, name, lock) : null;
        }

        @Override
        public @Nullable HeldLock acquire(String name, Duration atMost) throws InterruptedException {
            Lock lock = registry.obtain((Object) name);
            return lock.tryLock(atMost.toMillis(), TimeUnit.MILLISECONDS) ? new Held(this, name, lock) : null;
        }
    }

    private record Held(Locks locks, String name, Lock lock) implements HeldLock {

        @Override
        public boolean isHeld() {
            return locks.repository().isAcquired(name);
        }

        @Override
        public void release() {
            lock.unlock();
        }
    }
}
