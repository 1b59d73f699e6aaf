/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Reports that a template cannot be used, with a remedy. */
final class InvalidTemplateException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1;

    private final String remedy;

    InvalidTemplateException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem, cause);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
