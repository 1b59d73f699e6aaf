/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Propagates the lease that {@link Locks#current()} returns through Micrometer's context propagation, for example from
 * a publisher's subscription to the threads of its operators. Registered as a service.
 *
 * @since 0.1
 */
public final class LocksThreadLocalAccessor implements ThreadLocalAccessor<LockScope> {

    /** Creates the accessor. Called by Micrometer. */
    public LocksThreadLocalAccessor() {}

    @Override
    public Object key() {
        return LockScope.CONTEXT_KEY;
    }

    @Override
    public @Nullable LockScope getValue() {
        return LockScope.current();
    }

    @Override
    public void setValue(LockScope value) {
        LockScope.restore(value);
    }

    @Override
    public void setValue() {
        LockScope.restore(null);
    }
}
