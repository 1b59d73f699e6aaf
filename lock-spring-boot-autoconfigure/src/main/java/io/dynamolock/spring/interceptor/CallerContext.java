/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.springframework.util.ClassUtils;

/**
 * What belongs to the thread of a call, for the thread that goes on with it: the class loader, and what Micrometer's context
 * propagation knows, if it is there.
 */
final class CallerContext {

    private static final boolean PROPAGATES =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    /** Something that runs a task in a context. */
    private interface Wrapper {

        Runnable wrap(Runnable task);
    }

    private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private final Wrapper locals;

    private CallerContext(Wrapper locals) {
        this.locals = locals;
    }

    /** What this thread has. */
    static CallerContext capture() {
        return new CallerContext(PROPAGATES ? Snapshots.capture() : task -> task);
    }

    /** What a Reactor context has for the threads that work for it. */
    static CallerContext of(Object context) {
        return new CallerContext(PROPAGATES ? Snapshots.of(context) : task -> task);
    }

    void run(Runnable task) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            locals.wrap(task).run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Is only loaded if the library is there. */
    private static final class Snapshots {

        private static final ContextSnapshotFactory FACTORY =
                ContextSnapshotFactory.builder().build();

        static Wrapper capture() {
            ContextSnapshot snapshot = FACTORY.captureAll();
            return snapshot::wrap;
        }

        static Wrapper of(Object context) {
            ContextSnapshot snapshot = FACTORY.captureFrom(context);
            return snapshot::wrap;
        }
    }
}
