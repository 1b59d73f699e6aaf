/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.LockManager;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** A manager on a store in memory, and a rival in another process, for tests of adapters to other lock APIs. */
public abstract class AdapterFixture {

    protected final CountingStore store = new CountingStore();
    protected final TestClock clock = new TestClock();
    protected final LockManager manager = LockManager.builder(store)
            .testClock(clock)
            .retryPolicy((attempts, failure) -> null)
            .shutdownGrace(Duration.ZERO)
            .build();
    protected final Rival rival = Rival.on(store, clock);

    @AfterEach
    void close() {
        store.heal();
        rival.close();
        manager.close();
    }
}
