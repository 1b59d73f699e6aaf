/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A thread of a manager: a daemon that inherits nothing from the thread that happens to start it. */
final class ManagerThread extends Thread {

    /** What a thread is for. */
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

    /** Makes such threads, and calls {@code before} with the name of each, which throws if none can be started. */
    static ThreadFactory factory(String name, Scheduler scheduler, Role role, Consumer<String> before) {
        AtomicInteger count = new AtomicInteger();
        return action -> {
            String thread = name + "-" + count.incrementAndGet();
            before.accept(thread);
            return new ManagerThread(action, thread, scheduler, role);
        };
    }

    /** Whether the current thread is one of those of {@code scheduler} that send requests. */
    static boolean isSenderOf(Scheduler scheduler) {
        return Thread.currentThread() instanceof ManagerThread own && own.scheduler == scheduler && own.sends();
    }

    /** Whether the current thread is one of those of {@code scheduler} that send nothing. */
    static boolean isOtherOf(Scheduler scheduler) {
        return Thread.currentThread() instanceof ManagerThread own && own.scheduler == scheduler && !own.sends();
    }

    /** Whether the current thread is one that renewals of any manager wait for, or may. */
    static boolean isNeededForRenewals() {
        return Thread.currentThread() instanceof ManagerThread own
                && (own.role == Role.TIMER || own.role == Role.HEARTBEAT);
    }

    private boolean sends() {
        return role == Role.HEARTBEAT || role == Role.WORKER;
    }
}
