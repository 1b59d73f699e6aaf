/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.util.Objects;

/** Rejects requests that a primitive or its manager could never use, before the first request to the store. */
final class Requests {

    private Requests() {}

    /**
     * Returns a request for one lock.
     *
     * @throws IllegalArgumentException if it is for several
     * @throws InvalidSettingException if the manager would always reject it
     */
    static LockRequest forOne(LockManager locks, LockRequest request) {
        Objects.requireNonNull(locks, "locks");
        Objects.requireNonNull(request, "request");
        if (request.names().size() > 1) {
            throw new IllegalArgumentException("The request must be for one lock, but is for " + request.names());
        }
        validate(locks, request);
        return request;
    }

    /** Rejects a request that the manager would always reject, such as one for a name that is too long. */
    static void validate(LockManager locks, LockRequest request) {
        locks.diagnostics().ifPresent(diagnostics -> diagnostics.settings().validate(request));
    }
}
