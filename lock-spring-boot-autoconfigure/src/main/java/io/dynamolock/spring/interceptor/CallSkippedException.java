/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.io.Serial;

/** The condition of a method does not allow a call. Callers never see it: the call is skipped. */
final class CallSkippedException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    CallSkippedException() {
        super("the condition is false", null, false, false);
    }
}
