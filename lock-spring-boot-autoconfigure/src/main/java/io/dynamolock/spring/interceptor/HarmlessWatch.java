/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.spring.CallWatch;
import io.dynamolock.spring.CallWatcher;
import io.dynamolock.spring.LockedCall;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs exceptions of a {@link CallWatch} instead of passing them on to the call. */
record HarmlessWatch(CallWatch watch) implements CallWatch {

    private static final Logger LOG = LoggerFactory.getLogger(HarmlessWatch.class);

    static CallWatch of(CallWatcher watcher, LockedCall call) {
        CallWatch watch = tried(() -> watcher.starts(call), NONE);
        return watch == NONE ? NONE : new HarmlessWatch(watch);
    }

    @Override
    public Scope enter() {
        Scope scope = tried(watch::enter, Scope.NONE);
        return () -> told(scope::close);
    }

    @Override
    public Map<Object, Object> context() {
        return tried(watch::context, Map.of());
    }

    @Override
    public void acquired(Lease lease) {
        told(() -> watch.acquired(lease));
    }

    @Override
    public void busy() {
        told(watch::busy);
    }

    @Override
    public void worked() {
        told(watch::worked);
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        told(() -> watch.ended(failure));
    }

    private static void told(Runnable event) {
        tried(
                () -> {
                    event.run();
                    return NONE;
                },
                NONE);
    }

    private static <T> T tried(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (RuntimeException | LinkageError harmless) {
            LOG.warn("A CallWatcher failed; the locked call is not affected", harmless);
            return otherwise;
        }
    }
}
