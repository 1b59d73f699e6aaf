/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.TestRun;
import java.io.File;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
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
        assertOutput(RedeployedApplication.class, "class loader is garbage: true");
    }

    /** In a JVM of its own, where no election has begun before. */
    @Test
    void beginWhileTheTimerIsBlocked() throws Exception {
        assertOutput(BlockedTimer.class, "begun");
    }

    private static void assertOutput(Class<?> application, String line) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        application.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(process.waitFor(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.inputReader().lines()).containsExactly(line);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Begins an election while a task of the application blocks the JVM's timer, as after {@code orTimeout}. */
    static final class BlockedTimer {

        private BlockedTimer() {}

        public static void main(String[] none) {
            CompletableFuture.delayedExecutor(0, TimeUnit.MILLISECONDS, Runnable::run)
                    .execute(() -> await(new CountDownLatch(1)));
            var unused = Retries.ofJdk();
            System.out.println("begun");
        }
    }

    /** Prints whether nothing keeps the class loader of an application that has ended, and whose election was retried. */
    static final class RedeployedApplication {

        private RedeployedApplication() {}

        public static void main(String[] none) throws Exception {
            ReferenceQueue<ClassLoader> garbage = new ReferenceQueue<>();
            Reference<ClassLoader> application = deploy(garbage);
            Reference<?> found = null;
            for (int i = 0; i < 100 && found == null; i++) {
                System.gc();
                found = garbage.remove(100);
            }
            System.out.println("class loader is garbage: " + application.equals(found));
        }

        private static Reference<ClassLoader> deploy(ReferenceQueue<ClassLoader> garbage) throws Exception {
            try (URLClassLoader application = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
                FutureTask<Object> deployment = new FutureTask<>(() -> application
                        .loadClass(DeployedApplication.class.getName())
                        .getMethod("run")
                        .invoke(null));
                Thread thread = new Thread(deployment);
                thread.setContextClassLoader(application);
                thread.start();
                deployment.get();
                thread.join();
                return new WeakReference<>(application, garbage);
            }
        }

        private static URL[] classPath() throws IOException {
            List<URL> urls = new ArrayList<>();
            for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                urls.add(Path.of(path).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }

    /** An application with an election that is retried, on a thread with something that other threads inherit. */
    public static final class DeployedApplication {

        private DeployedApplication() {}

        public static void run() throws InterruptedException {
            new InheritableThreadLocal<DeployedApplication>().set(new DeployedApplication());
            CountDownLatch retried = new CountDownLatch(1);
            Retries.ofJdk().later(retried::countDown);
            retried.await();
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
