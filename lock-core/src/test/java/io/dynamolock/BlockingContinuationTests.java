/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A continuation that blocks on the thread chosen by the user's executor. */
@Timeout(120)
class BlockingContinuationTests {

    private static final int OTHERS = 5;

    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void goOn() {
        end.countDown();
    }

    @Test
    void blockedCallerThreadDoesNotStopRenewals() {
        assertOthersStayHeld(Runnable::run);
    }

    @Test
    void rejectingExecutorDoesNotStopRenewals() {
        assertOthersStayHeld(action -> {
            throw new RejectedExecutionException("full");
        });
    }

    private void assertOthersStayHeld(Executor executor) {
        try (LockManager locks = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .heartbeatInterval(Duration.ofMillis(20))
                .shutdownGrace(Duration.ZERO)
                .asyncExecutor(executor)
                .build()) {
            Lease lost = locks.acquire(LockRequest.of("lost").autoRenew(false));
            List<Lease> others = IntStream.range(0, OTHERS)
                    .mapToObj(i -> locks.tryAcquire("other-" + i).orElseThrow())
                    .toList();
            var unused = lost.lost().thenAccept(loss -> {
                blocked.countDown();
                Latches.await(end);
            });
            endSoon(lost);
            Latches.await(blocked);
            store.forget();

            await().until(() -> Collections.frequency(store.operations(), Operation.RENEW) >= 2 * others.size());
            end.countDown();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** On a slow machine the lease ends before the response; the timer thread reports its end in both cases. */
    private static void endSoon(Lease lease) {
        try {
            lease.renew(Duration.ofMillis(100));
        } catch (LockException over) {
            assertThat(lease.isHeld()).isFalse();
        }
    }
}
