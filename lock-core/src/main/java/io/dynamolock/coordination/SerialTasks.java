/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Runs tasks one at a time, in their order, each on a submitting thread of them. */
final class SerialTasks {

    private record Task(Runnable action, CompletableFuture<Void> end) {}

    private final Deque<Task> waiting = new ArrayDeque<>();
    private @Nullable Thread running;

    /**
     * Runs a task, now or after those that wait. On the thread that runs a task already, it follows that.
     *
     * @return completes when it has ended
     */
    CompletableFuture<Void> run(Runnable action) {
        Task task = new Task(action, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(task);
            if (running != null) {
                return task.end;
            }
            running = Thread.currentThread();
        }
        runAll();
        return task.end;
    }

    synchronized boolean isCurrentThreadIn() {
        return running == Thread.currentThread();
    }

    private void runAll() {
        for (Task task = next(); task != null; task = next()) {
            try {
                task.action.run();
                task.end.complete(null);
            } catch (Throwable failure) {
                task.end.completeExceptionally(failure);
            }
        }
    }

    private synchronized @Nullable Task next() {
        Task next = waiting.poll();
        if (next == null) {
            running = null;
        }
        return next;
    }
}
