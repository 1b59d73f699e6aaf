/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.springframework.util.ClassUtils;

/**
 * Thread-bound state of a call, for the thread that continues it: the context class loader and, if the library is
 * present, the values that Micrometer's context propagation captures.
 */
final class CallerContext {

    private static final boolean PROPAGATES =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    /** Wraps a task so that it runs in a context. */
    private interface Wrapper {

        Runnable wrap(Runnable task);
    }

    private final ClassLoader classLoader = Thread.currentThread().getContextClassLoader();
    private final Wrapper locals;

    private CallerContext(Wrapper locals) {
        this.locals = locals;
    }

    /** Captures the context of this thread. */
    static CallerContext capture() {
        return new CallerContext(PROPAGATES ? Snapshots.capture() : task -> task);
    }

    /** Captures the context that a Reactor context holds. */
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

    /** Loaded only if the library is present. */
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
