/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.Writes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Failing requests and their exceptions. */
final class FailedRequests {

    private FailedRequests() {}

    static void assertKind(LockStoreException failure, boolean outcomeUnknown, boolean retryable) {
        assertThat(failure.isOutcomeUnknown())
                .as("outcome unknown: %s", failure)
                .isEqualTo(outcomeUnknown);
        assertThat(failure.isRetryable()).as("retryable: %s", failure).isEqualTo(retryable);
    }

    static LockStoreException failureOfAcquire(LockStore store, Duration timeout) {
        Instant now = Instant.parse("2100-01-01T12:00:00Z");
        Acquire write = Writes.acquire(
                "job",
                "mine",
                "me",
                7,
                Duration.ofSeconds(30),
                now,
                now.plusSeconds(30),
                LeaseTime.SERVER,
                Map.of(),
                new Free());
        return catchThrowableOfType(LockStoreException.class, () -> store.acquire(write, timeout));
    }

    static LockStoreException failureOfRead(LockStore store, Duration timeout) {
        return catchThrowableOfType(LockStoreException.class, () -> store.read("job", true, timeout));
    }
}
