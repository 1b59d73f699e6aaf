/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.jspecify.annotations.Nullable;

/** Values of properties that must not be shown. */
final class Secrets {

    private Secrets() {}

    static @Nullable String masked(@Nullable String secret) {
        return secret == null ? null : "******";
    }
}
