/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ThreadStarterTests extends ThreadPoolFixture {

    @Test
    void taskWithoutThreadRunsLater() throws InterruptedException {
        for (String pool : List.of("-heartbeat-", "-worker-", "-notify-")) {
            scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run, failing(pool, 3));
            CountDownLatch all = new CountDownLatch(3);

            scheduler.renew(0, all::countDown);
            assertThat(scheduler.submit(Rank.ACQUIRE, all::countDown)).isTrue();
            assertThat(scheduler.callBack(all::countDown)).isTrue();

            assertReached(all);
            scheduler.close(TIMEOUT);
        }
    }

    @Test
    void queuedTaskRunsOnExistingThread() throws InterruptedException {
        AtomicBoolean noMore = new AtomicBoolean();
        scheduler = new ThreadPoolScheduler(3, WORKERS, System::nanoTime, Runnable::run, thread -> {
            if (noMore.get() && thread.contains("-heartbeat-")) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        holdTheOnlyRenewal();
        noMore.set(true);
        CountDownLatch next = new CountDownLatch(1);

        scheduler.renew(0, next::countDown);
        release.countDown();

        assertReached(next);
    }

    @Test
    void taskIsRejectedIfNoThreadExists() {
        scheduler = new ThreadPoolScheduler(1, WORKERS, System::nanoTime, null, failing("", MORE_THAN_ANY_POOL));

        assertThat(scheduler.submit(Rank.ACQUIRE, () -> ran.add("work"))).isFalse();
        assertThat(scheduler.callBack(() -> ran.add("callback"))).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> scheduler.renew(0, () -> ran.add("renewal")));
        scheduler.complete(() -> ran.add("completion"));

        assertThat(ran).containsExactly("completion");
    }

    @Test
    void callbacksWithoutThreadRunOnClosingThread() {
        scheduler =
                new ThreadPoolScheduler(1, WORKERS, System::nanoTime, null, failing("-notify-", MORE_THAN_ANY_POOL));
        scheduler.callBack(() -> ran.add("callback"));

        scheduler.close(Duration.ofMillis(10));

        assertThat(ran).containsExactly("callback");
    }
}
