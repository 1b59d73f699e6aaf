/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.Locking;
import java.util.concurrent.CountDownLatch;

/** Work that goes on until a test lets it end, whoever interrupts it. */
final class DeafTask {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private volatile boolean left;

    String run() {
        entered.countDown();
        HeldLock.awaitDeaf(mayEnd);
        left = true;
        return "done";
    }

    boolean isEntered() {
        return entered.getCount() == 0;
    }

    void awaitEntered() {
        Locking.await(entered);
    }

    void mayEnd() {
        mayEnd.countDown();
    }

    boolean hasLeft() {
        return left;
    }
}
