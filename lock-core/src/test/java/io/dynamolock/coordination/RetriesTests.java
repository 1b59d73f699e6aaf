/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.TestRun;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
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

    /** In a JVM of its own, where nothing has started the JVM's timer before. */
    @Test
    void leaveTheClassLoaderOfTheApplicationToNoThread() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedeployedApplication.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.waitFor(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.inputReader().lines()).containsExactly("threads with its class loader: [main]");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Prints which threads have the class loader of an application whose election is retried. */
    static final class RedeployedApplication {

        private RedeployedApplication() {}

        public static void main(String[] none) throws Exception {
            CountDownLatch retried = new CountDownLatch(1);
            try (URLClassLoader application = new URLClassLoader(new URL[0])) {
                Thread.currentThread().setContextClassLoader(application);
                Retries.ofJdk().later(retried::countDown);
                retried.await();
                System.out.println("threads with its class loader: "
                        + Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getContextClassLoader() == application)
                                .map(Thread::getName)
                                .toList());
            }
        }
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }
}
