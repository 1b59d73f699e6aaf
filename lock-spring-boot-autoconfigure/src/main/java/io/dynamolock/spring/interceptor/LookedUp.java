/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was first looked up in a bean factory. Holds no lock during the lookup, which may wait for that of the factory:
 * the thread that has it creates a bean, which may need the same value. Several threads may look it up at first; all get
 * the same. Thread-safe.
 */
final class LookedUp<T> implements Supplier<T> {

    private final Supplier<T> lookup;
    private final AtomicReference<@Nullable T> first = new AtomicReference<>();

    LookedUp(Supplier<T> lookup) {
        this.lookup = lookup;
    }

    @Override
    public T get() {
        T known = first.get();
        if (known != null) {
            return known;
        }
        T found = lookup.get();
        T before = first.compareAndExchange(null, found);
        return before == null ? found : before;
    }
}
