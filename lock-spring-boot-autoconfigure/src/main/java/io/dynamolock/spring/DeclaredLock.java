/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lock, or the several locks, that a method of the application declares by {@link DistributedLock}.
 *
 * @param names the name templates as written
 * @param method class and name of the locked method
 * @param manager the bean name of the lock manager, as written; null for the default one
 * @param condition the condition under which calls run, as written; null if they always run
 * @param enabled whether calls run at the moment; null if that depends on the call, or the condition fails
 * @since 0.1
 */
public record DeclaredLock(
        List<String> names,
        String method,
        @Nullable String manager,
        @Nullable String condition,
        @Nullable Boolean enabled) {

    /** Copies the names. */
    public DeclaredLock {
        names = List.copyOf(names);
    }
}
