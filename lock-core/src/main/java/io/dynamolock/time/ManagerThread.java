/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A thread of a manager: a daemon that inherits nothing from the thread that happens to start it. */
final class ManagerThread extends Thread {

    /** Purpose of a thread. */
    enum Role {
        TIMER,
        HEARTBEAT,
        WORKER,
        CALLBACK
    }

    private final Scheduler scheduler;
    private final Role role;

    private ManagerThread(Runnable action, String name, Scheduler scheduler, Role role) {
        super(null, action, name, 0, false);
        this.scheduler = scheduler;
        this.role = role;
        setDaemon(true);
        setContextClassLoader(ManagerThread.class.getClassLoader());
    }

    /**
     * Returns a factory of such threads. It calls {@code beforeStart} with the name of each thread; an exception from
     * that call prevents the start.
     */
    static ThreadFactory factory(String name, Scheduler scheduler, Role role, Consumer<String> beforeStart) {
        AtomicInteger count = new AtomicInteger();
        return action -> {
            String threadName = name + "-" + count.incrementAndGet();
            beforeStart.accept(threadName);
            return new ManagerThread(action, threadName, scheduler, role);
        };
    }

    /** Whether the current thread belongs to {@code scheduler} and sends requests. */
    static boolean isRequestThreadOf(Scheduler scheduler) {
        Role role = roleIn(scheduler);
        return role == Role.HEARTBEAT || role == Role.WORKER;
    }

    /** Returns the purpose of the current thread in {@code scheduler}; null if it belongs to another, or to none. */
    static @Nullable Role roleIn(Scheduler scheduler) {
        return Thread.currentThread() instanceof ManagerThread thread && thread.scheduler == scheduler
                ? thread.role
                : null;
    }

    /** Whether renewals of any manager depend, or may depend, on the current thread. */
    static boolean isNeededForRenewals() {
        return Thread.currentThread() instanceof ManagerThread thread
                && (thread.role == Role.TIMER || thread.role == Role.HEARTBEAT);
    }
}
