/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Lets Micrometer's context propagation carry what {@link Locks} knows: from a publisher's subscription to the threads of its
 * operators, for example. Found as a service.
 *
 * @since 0.1
 */
public final class LocksThreadLocalAccessor implements ThreadLocalAccessor<Locks.Entered> {

    /** Is created by Micrometer. */
    public LocksThreadLocalAccessor() {}

    @Override
    public Object key() {
        return Locks.CONTEXT_KEY;
    }

    @Override
    public Locks.@Nullable Entered getValue() {
        return Locks.entered();
    }

    @Override
    public void setValue(Locks.Entered value) {
        Locks.restore(value);
    }

    @Override
    public void setValue() {
        Locks.restore(null);
    }
}
