/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;

/** ShedLock's own suites of providers and of extensible ones, with locks in memory. */
class ShedLockSuiteTests extends AbstractExtensibleLockProviderIntegrationTest {

    /** As ShedLock's own providers, with clocks that agree. */
    private final LockManager manager = LockManager.builder(store())
            .time(LeaseTime.SYSTEM)
            .maxClockSkew(Duration.ZERO)
            .shutdownGrace(Duration.ZERO)
            .build();

    private final LeaseLockProvider provider = new LeaseLockProvider(manager);

    LockStore store() {
        return new InMemoryLockStore();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    @Override
    protected void assertUnlocked(String lockName) {
        assertThat(manager.inspect(lockName).status()).isNotEqualTo(Status.HELD);
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(manager.inspect(lockName).status()).isEqualTo(Status.HELD);
    }

    @AfterEach
    void close() {
        manager.close();
    }
}
