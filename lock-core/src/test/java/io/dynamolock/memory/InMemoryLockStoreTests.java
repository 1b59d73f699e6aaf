/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockStore;
import io.dynamolock.LockStoreContract;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTests extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void tellsTheTimeOfItsClock() {
        Clock clock = Clock.fixed(Instant.parse("2026-05-01T12:00:00.999Z"), ZoneOffset.UTC);

        LockStore timed = new InMemoryLockStore(clock);

        assertThat(timed.read("lock", true, TIMEOUT).date()).isEqualTo(Instant.parse("2026-05-01T12:00:00Z"));
    }

    @Test
    void isNoOtherStore() {
        InMemoryLockStore other = new InMemoryLockStore();

        assertThat(store.describe()).isNotEqualTo(other.describe());
    }
}
