/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.Locking;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** The lock "job" of a call that has been ended, and whose work goes on. */
final class HeldLock {

    private static final LockRequest WAITING = LockRequest.of("job").waitTime(Duration.ofMinutes(1));

    private HeldLock() {}

    /** Asserts that nobody else acquires the lock before the work has left, which it does after {@code mayEnd}. */
    static void assertHeldUntil(LockManager locks, BooleanSupplier hasLeft, Runnable mayEnd) {
        CompletableFuture<Boolean> leftWhenAcquired = locks.acquireAsync(WAITING)
                .thenApply(lease -> {
                    boolean left = hasLeft.getAsBoolean();
                    lease.release();
                    return left;
                });

        try {
            assertThatThrownBy(() -> leftWhenAcquired.get(Locking.WATCH.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
        } finally {
            mayEnd.run();
        }
        assertThat(leftWhenAcquired).succeedsWithin(Locking.TIMEOUT).isEqualTo(true);
    }

    /** Waits, deaf to interruption, whose status it keeps. */
    static void awaitDeaf(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                assertThat(latch.await(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                break;
            } catch (InterruptedException deaf) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
