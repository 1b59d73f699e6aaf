/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs tasks one at a time, in their order, on a thread that is used as long as there are some. */
final class SerialTasks {

    private record Task(Runnable action, CompletableFuture<Void> end) {

        void end(@Nullable Throwable failure) {
            if (failure == null) {
                end.complete(null);
            } else {
                end.completeExceptionally(failure);
            }
        }
    }

    private final Executor threads;
    private final FutureAwaiter awaiter;
    private final Deque<Task> waiting = new ArrayDeque<>();
    private boolean busy;
    private @Nullable Thread running;

    SerialTasks(Executor threads, FutureAwaiter awaiter) {
        this.threads = threads;
        this.awaiter = awaiter;
    }

    /**
     * Runs a task after those that run or wait.
     *
     * @return completes when it has ended
     */
    CompletableFuture<Void> run(Runnable action) {
        return run(action, () -> {});
    }

    /**
     * Runs a task after those that run or wait.
     *
     * @param atOnce runs before, on the calling thread, unless another task runs or waits
     * @return completes when it has ended
     */
    CompletableFuture<Void> run(Runnable action, Runnable atOnce) {
        Task task = new Task(action, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(task);
            if (!busy) {
                busy = true;
                atOnce.run();
                start();
            }
        }
        return task.end;
    }

    /** Without a thread, the next task tries again: none is added meanwhile. */
    private void start() {
        try {
            threads.execute(this::runAll);
        } catch (RuntimeException | Error noThread) {
            busy = false;
            throw noThread;
        }
    }

    /**
     * Waits for the end of a task, but not on the thread of a task, nor after the thread was interrupted meanwhile.
     *
     * @param atMost how long; asked only if the thread waits
     * @return false if it still runs or waits after this time
     */
    boolean await(CompletableFuture<Void> end, Supplier<Duration> atMost) {
        if (isCurrentThreadIn()) {
            return true;
        }
        return awaiter.isDoneDespiteInterrupt(end, atMost.get());
    }

    /** Whether no task runs or waits, also for a thread that could not be started. */
    synchronized boolean isIdle() {
        return !busy && waiting.isEmpty();
    }

    private synchronized boolean isCurrentThreadIn() {
        return running == Thread.currentThread();
    }

    private void runAll() {
        for (Task task = first(); task != null; ) {
            Throwable failure = null;
            try {
                task.action.run();
            } catch (Throwable thrown) {
                failure = thrown;
            }
            Task last = task;
            task = next(); // first: whoever has awaited the last task finds none running
            last.end(failure);
        }
    }

    /** Returns nothing if tasks run: an executor may run later what it has rejected for lack of a thread. */
    private synchronized @Nullable Task first() {
        return running == null ? next() : null;
    }

    private synchronized @Nullable Task next() {
        Task next = waiting.poll();
        busy = next != null;
        running = busy ? Thread.currentThread() : null;
        return next;
    }
}
