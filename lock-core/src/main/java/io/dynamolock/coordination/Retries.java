/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats what has failed after growing delays: from one second to half a minute, of which half is random. */
final class Retries {

    /** Runs an action later. */
    interface Timer {

        void schedule(long millis, Runnable action);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
    private static final long SHORTEST = 1_000;
    private static final long LONGEST = 30_000;

    private static volatile boolean timerStarted;

    private final Timer timer;
    private final Executor threads;
    private final DoubleSupplier random;
    private long delay = SHORTEST;

    Retries(Timer timer, Executor threads, DoubleSupplier random) {
        this.timer = timer;
        this.threads = threads;
        this.random = random;
    }

    /**
     * Uses the timer of the JDK, and a thread for each action: an election needs none in between, and does not wait for
     * the application's tasks on the common pool, which may have only one thread. Starts the thread of that timer, on
     * which a later shortage of threads is waited for.
     */
    static Retries ofJdk() {
        startTimer();
        Executor threads = Retries::startThread;
        return new Retries(
                timer(threads), threads, () -> ThreadLocalRandom.current().nextDouble());
    }

    private static void startTimer() {
        if (timerStarted) {
            return;
        }
        try {
            CompletableFuture.runAsync(Retries::startTimerFromPool, Retries::startThread)
                    .join();
            timerStarted = true;
        } catch (OutOfMemoryError | CompletionException noThread) {
            delay(0, () -> {}, Runnable::run);
        }
    }

    /**
     * Starts the JVM's timer thread from a new pool of the JDK, with no code of this application on the stack: that
     * thread would keep forever what it inherits, which is thread-locals and, before Java 24, the protection domains of
     * the stack, and with them the class loader of the application. Does not wait for the timer to run anything: it may
     * be blocked by a task of the application.
     */
    private static void startTimerFromPool() {
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            CompletableFuture<Void> begin = new CompletableFuture<>();
            CompletableFuture<Void> started = begin.thenRunAsync(() -> {}, pool)
                    .thenRunAsync(() -> {}, CompletableFuture.delayedExecutor(0, TimeUnit.MILLISECONDS, Runnable::run));
            begin.complete(null);
            CompletableFuture.runAsync(() -> {}, pool).join(); // comes after it on the only thread
            if (started.isCompletedExceptionally()) {
                started.join();
            }
        } finally {
            pool.shutdown();
        }
    }

    /** Returns a timer that tries again while there is no thread. */
    static Timer timer(Executor threads) {
        return (millis, action) -> delay(millis, action, task -> {
            try {
                threads.execute(task);
            } catch (OutOfMemoryError noThread) {
                timer(threads).schedule(SHORTEST, task);
                LOG.warn("No thread can be started for an election, which tries again: {}", noThread.toString());
            }
        });
    }

    /** If this starts the JVM's timer thread, that thread would keep the class loader of this application forever. */
    private static void delay(long millis, Runnable action, Executor threads) {
        Thread caller = Thread.currentThread();
        ClassLoader own = caller.getContextClassLoader();
        caller.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, threads)
                    .execute(action);
        } finally {
            caller.setContextClassLoader(own);
        }
    }

    private static void startThread(Runnable action) {
        Thread thread = new Thread(null, action, "dynamolock-election", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Retries.class.getClassLoader());
        thread.start();
    }

    /** Runs an action on a thread of its own, as soon as one can be started. */
    void now(Runnable action) {
        try {
            threads.execute(action);
        } catch (OutOfMemoryError noThread) {
            timer.schedule(SHORTEST, action);
        }
    }

    void later(Runnable action) {
        timer.schedule(nextMillis(), action);
    }

    private synchronized long nextMillis() {
        long millis = (long) (delay * (0.5 + random.getAsDouble() / 2));
        delay = Math.min(LONGEST, 2 * delay);
        return millis;
    }

    synchronized void reset() {
        delay = SHORTEST;
    }
}
