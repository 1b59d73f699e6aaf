/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/**
 * A lock that the application declares by {@link DistributedLock}.
 *
 * @param name the name template as written
 * @param method class and name of the locked method
 * @param condition the condition under which calls run, as written; null if they always run
 * @param enabled whether calls run at the moment; null if that depends on the call
 * @since 0.1
 */
public record DeclaredLock(
        String name,
        String method,
        @Nullable String condition,
        @Nullable Boolean enabled) {}
