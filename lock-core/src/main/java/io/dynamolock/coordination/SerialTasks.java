/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Runs tasks one at a time, in their order, each on a submitting thread of them. */
final class SerialTasks {

    private record Task(Runnable action, CompletableFuture<Void> end) {}

    private final Deque<Task> waiting = new ArrayDeque<>();
    private boolean busy;
    private @Nullable Thread running;
    private @Nullable Executor successor;

    /**
     * Runs a task, now or after those that wait. On the thread that runs a task already, it follows that.
     *
     * @return completes when it has ended
     */
    CompletableFuture<Void> run(Runnable action) {
        Task task = new Task(action, new CompletableFuture<>());
        synchronized (this) {
            waiting.add(task);
            if (busy) {
                return task.end;
            }
            busy = true;
        }
        runAll();
        return task.end;
    }

    /** Lets a task that runs be followed by another one, and by those that wait, on another thread. */
    synchronized void continueOn(Executor executor, Runnable action) {
        waiting.addFirst(new Task(action, new CompletableFuture<>()));
        successor = executor;
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

    /** Returns null if there is nothing more to run on this thread. */
    private @Nullable Task next() {
        Executor other;
        synchronized (this) {
            other = successor;
            successor = null;
            if (other == null) {
                Task next = waiting.poll();
                busy = next != null;
                running = busy ? Thread.currentThread() : null;
                return next;
            }
            running = null;
        }
        other.execute(this::runAll);
        return null;
    }
}
