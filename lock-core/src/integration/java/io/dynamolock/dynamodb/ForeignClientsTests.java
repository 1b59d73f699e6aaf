/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks that the other libraries themselves hold in a shared table are honored. */
class ForeignClientsTests {

    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();

    private final String table = LocalDynamoDb.newTableName();

    private LockManager honoring(ForeignLocks library, String partitionKey) {
        DynamoDbLockStore store = DynamoDbLockStore.builder(CLIENT)
                .tableName(table)
                .partitionKey(partitionKey)
                .honor(List.of(library))
                .build();
        store.table().createIfMissing(Duration.ofMinutes(1));
        return LockManager.builder(store).shutdownGrace(Duration.ZERO).build();
    }

    @Test
    void lockOfShedLockIsHonored() {
        try (LockManager locks = honoring(ForeignLocks.SHEDLOCK, "_id")) {
            DynamoDBLockProvider theirs = new DynamoDBLockProvider(CLIENT, table);
            SimpleLock lock = theirs.lock(
                            new LockConfiguration(Instant.now(), "job", Duration.ofMinutes(1), Duration.ZERO))
                    .orElseThrow();

            assertThat(locks.tryAcquire("job")).isEmpty();
            lock.unlock();

            assertThat(acquiredWithinAMinute(locks)).isTrue();
        }
    }

    @Test
    void lockOfAwslabsIsHonored() throws Exception {
        try (LockManager locks = honoring(ForeignLocks.AWSLABS, "key");
                AmazonDynamoDBLockClient theirs =
                        new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(CLIENT, table)
                                .withLeaseDuration(2L)
                                .withHeartbeatPeriod(300L)
                                .withTimeUnit(TimeUnit.SECONDS)
                                .withCreateHeartbeatBackgroundThread(false)
                                .build())) {
            LockItem lock = theirs.acquireLock(AcquireLockOptions.builder("job")
                    .withDeleteLockOnRelease(false)
                    .build());

            assertThat(locks.tryAcquire("job")).isEmpty();
            theirs.releaseLock(lock);

            assertThat(acquiredWithinAMinute(locks)).isTrue();
        }
    }

    /** An old process of a fleet that moves over does no work under a lock of this library, but reports no busy lock either. */
    @Test
    void lockClientOfAwslabsFailsOnRowsOfThisLibrary() throws Exception {
        try (LockManager locks = honoring(ForeignLocks.AWSLABS, "key");
                AmazonDynamoDBLockClient theirs =
                        new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(CLIENT, table)
                                .withCreateHeartbeatBackgroundThread(false)
                                .build())) {
            AcquireLockOptions options = AcquireLockOptions.builder("job").build();
            Lease lease = locks.acquire("job");

            assertThatThrownBy(() -> theirs.tryAcquireLock(options)).isInstanceOf(NullPointerException.class);
            lease.release();
            assertThatThrownBy(() -> theirs.tryAcquireLock(options)).isInstanceOf(NullPointerException.class);
        }
    }

    /** A released lock of ShedLock ends now, and counts as held for a second more. */
    private static boolean acquiredWithinAMinute(LockManager locks) {
        try {
            return locks.tryAcquire("job", Duration.ofMinutes(1)).isPresent();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
