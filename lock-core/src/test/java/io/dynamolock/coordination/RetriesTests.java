/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.TestRun;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetriesTests {

    @Test
    void startWhileTheCommonPoolIsBlocked() throws InterruptedException {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        CountDownLatch blocked = new CountDownLatch(threads);
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i < threads; i++) {
                ForkJoinPool.commonPool().execute(() -> {
                    blocked.countDown();
                    await(end);
                });
            }
            assertThat(blocked.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            CompletableFuture<Thread> retry = new CompletableFuture<>();

            Retries.ofJdk().later(() -> retry.complete(Thread.currentThread()));

            assertThat(retry).succeedsWithin(TestRun.TIMEOUT).satisfies(thread -> {
                assertThat(thread.getName()).isEqualTo("dynamolock-election");
                assertThat(thread.isDaemon()).isTrue();
            });
        } finally {
            end.countDown();
        }
    }

    @Test
    void startOnceThereIsAThread() {
        AtomicInteger starts = new AtomicInteger();
        CompletableFuture<Void> retry = new CompletableFuture<>();

        Retries.timer(task -> {
                    if (starts.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                })
                .schedule(1, () -> retry.complete(null));

        assertThat(retry).succeedsWithin(TestRun.TIMEOUT);
        assertThat(starts).hasValue(2);
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }
}
