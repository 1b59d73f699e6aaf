/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;

/**
 * Closes several managers concurrently, and waits for all of them: on the calling thread those with work in progress
 * there, which they must not wait for, or else the first; the others on a thread each, or there as well if none can be
 * started.
 */
final class Closing {

    private final List<LockManager> managers;
    private final ThreadFactory factory;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Closing(Collection<? extends LockManager> managers) {
        this(managers, Thread::new);
    }

    Closing(Collection<? extends LockManager> managers, ThreadFactory factory) {
        Set<LockManager> known = Collections.newSetFromMap(new IdentityHashMap<>());
        this.managers =
                List.<LockManager>copyOf(managers).stream().filter(known::add).toList();
        this.factory = factory;
    }

    void run() {
        List<LockManager> here = new ArrayList<>();
        List<LockManager> others = new ArrayList<>();
        managers.forEach(manager -> (isAtWorkHere(manager) ? here : others).add(manager));
        if (here.isEmpty() && !others.isEmpty()) {
            here.add(others.remove(0));
        }
        for (LockManager manager : others) {
            if (!closesOnThread(manager)) {
                here.add(manager);
            }
        }
        here.forEach(this::close);
        await();
        throwFirst();
    }

    /** Whether another thread that closes the manager would wait for this one. */
    private static boolean isAtWorkHere(LockManager manager) {
        return manager instanceof DefaultLockManager known && known.isAtWorkHere();
    }

    /** Returns false if no thread can be started for it. */
    private boolean closesOnThread(LockManager manager) {
        Thread thread = factory.newThread(() -> close(manager));
        thread.setName("dynamolock-close-" + threads.size());
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            return false;
        }
        threads.add(thread);
        return true;
    }

    private void close(LockManager manager) {
        try {
            manager.close();
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    private void throwFirst() {
        Throwable first = failures.poll();
        if (first == null) {
            return;
        }
        failures.stream().filter(failure -> failure != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw first instanceof RuntimeException failure ? failure : new IllegalStateException(first);
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
