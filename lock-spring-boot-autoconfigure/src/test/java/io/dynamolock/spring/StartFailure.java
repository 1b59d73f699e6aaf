/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** Finds the cause of a failed startup. */
public final class StartFailure {

    private StartFailure() {}

    /** Returns the exception of a type that failed the startup of a context. */
    public static <T extends Throwable> T of(AssertableApplicationContext context, Class<T> type) {
        @Nullable Throwable failure = context.getStartupFailure();
        while (failure != null && !type.isInstance(failure)) {
            failure = failure.getCause();
        }
        if (failure == null) {
            throw new AssertionError("Expected " + type.getSimpleName(), context.getStartupFailure());
        }
        return type.cast(failure);
    }
}
