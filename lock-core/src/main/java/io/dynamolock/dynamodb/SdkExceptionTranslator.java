/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockStoreException;

/** Translates exceptions of the SDK to {@link LockStoreException}s. */
final class SdkExceptionTranslator {

    private final TableLayout layout;

    SdkExceptionTranslator(TableLayout layout) {
        this.layout = layout;
    }

    LockStoreException of(Operation operation, String name, RuntimeException failure) {
        Diagnosis diagnosis = Diagnosis.ofAttempt(failure, operation.action(), layout);
        String message =
                operation.text() + " '" + name + "' in " + layout.name() + layout.at() + " failed: " + diagnosis.text();
        boolean outcomeUnknown = operation.writes() && diagnosis.maybeApplied();
        return new LockStoreException(
                name, message, failure, outcomeUnknown, diagnosis.retryable(), diagnosis.answered());
    }

    /** For a request that could not be built: nothing was sent, and a retry would fail the same way. */
    LockStoreException beforeSending(Operation operation, String name, RuntimeException failure) {
        String message = operation.text() + " '" + name + "' in " + layout.name() + layout.at()
                + " failed before a request was sent: " + failure;
        return new LockStoreException(name, message, failure, false, false);
    }
}
