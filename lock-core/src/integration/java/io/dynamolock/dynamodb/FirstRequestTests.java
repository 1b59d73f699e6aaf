/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** With leases on the store's time, a process must sample it before its first write. */
class FirstRequestTests {

    private final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    private final DynamoDbClient client =
            LocalDynamoDb.newClient().httpClient(http).build();
    private final DynamoDbLockStore store = DynamoDbLockStore.builder(client)
            .tableName(LocalDynamoDb.newTable())
            .build();
    private final LockManagerBuilder settings =
            LockManager.builder(store).time(LeaseTime.SERVER).shutdownGrace(Duration.ZERO);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void tableCheckSamplesTimeSoFirstAcquireIsOneRequest() {
        store.table().createIfMissing(Duration.ofSeconds(30));
        try (LockManager locks = settings.timeSample(store.table().timeSample()).build()) {
            http.forget();

            assertThat(locks.tryAcquire("job")).isPresent();

            assertThat(http.attempts()).hasSize(1);
        }
    }

    @Test
    void firstAcquireWithoutTableCheckIsPrecededByRead() {
        try (LockManager locks = settings.build()) {

            assertThat(locks.tryAcquire("one")).isPresent();
            assertThat(locks.tryAcquire("two")).isPresent();

            assertThat(http.count("GetItem")).isEqualTo(1);
            assertThat(http.count("UpdateItem")).isEqualTo(2);
        }
    }
}
