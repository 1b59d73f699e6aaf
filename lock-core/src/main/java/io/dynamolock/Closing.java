/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Closes several managers concurrently, and waits for all of them: one on the calling thread, which may be within a
 * release that its manager must not wait for, and the others on a thread each.
 */
final class Closing {

    private final List<LockManager> managers;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();

    Closing(Collection<? extends LockManager> managers) {
        this.managers = List.copyOf(managers);
        for (LockManager manager : this.managers.stream().skip(1).toList()) {
            threads.add(new Thread(() -> close(manager), "dynamolock-close-" + threads.size()));
        }
    }

    void run() {
        threads.forEach(Thread::start);
        managers.stream().limit(1).forEach(this::close);
        await();
        RuntimeException first = failures.poll();
        if (first != null) {
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    private void close(LockManager manager) {
        try {
            manager.close();
        } catch (RuntimeException failure) {
            failures.add(failure);
        }
    }

    /** Passes an interrupt on to the closing threads: it cuts their waits short, as in a direct close. */
    private void await() {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException retryNow) {
                    interrupted = true;
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
