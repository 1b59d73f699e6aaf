/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.plainjava;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrdersTests {

    private final TestClock clock = new TestClock();
    private final InMemoryLockStore store = new InMemoryLockStore(clock);
    private final Rival rival = Rival.on(store, clock);
    private final LockManager locks =
            LockManager.builder(store).testClock(clock).owner("here").build();
    private final Orders orders = new Orders(locks);

    @AfterEach
    void close() {
        rival.close();
        locks.close();
    }

    @Test
    void shipsUnderALock() throws Exception {
        String shipped = orders.ship("7", () -> assertThat(locks.held()).hasSize(1));

        assertThat(shipped).startsWith("here shipped order 7, token ");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void orderOfAnotherProcessIsBusy() {
        rival.hold("order-7");

        assertThat(orders.shipIfFree("7")).isEqualTo("order 7 is busy: rival ships it");
    }
}
