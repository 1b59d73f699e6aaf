/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.boot.TestClients;
import java.time.Duration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * ShedLock's own suites of providers and of extensible ones, on DynamoDB Local. Two of the tests lock for 50 ms and 2
 * ms, less than a request may take: here they lock for longer.
 */
@Tag("proof")
class ShedLockSuiteOnDynamoDbTests extends ShedLockSuiteTests {

    private static final Duration SHORT = Duration.ofMillis(600);

    @Override
    LockStore store() {
        DynamoDbLockStore store = DynamoDbLockStore.builder(LocalDynamoDb.client())
                .tableName(TestClients.newTableName())
                .build();
        store.table().createIfMissing(Duration.ofMinutes(1));
        return store;
    }

    private SimpleLock lock() {
        return getLockProvider()
                .lock(lockConfig(LOCK_NAME1, SHORT, Duration.ZERO))
                .orElseThrow();
    }

    @Test
    @Override
    public void shouldTimeout() {
        lock();
        sleepFor(SHORT.plusMillis(100));
        assertUnlocked(LOCK_NAME1);

        lock().unlock();
    }

    @Test
    @Override
    public void shouldNotBeAbleToExtendExpiredLock() {
        SimpleLock lock = lock();
        sleepFor(SHORT.plusMillis(100));

        assertThat(lock.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertUnlocked(LOCK_NAME1);
    }
}
