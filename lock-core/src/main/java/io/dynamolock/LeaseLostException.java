/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lease is no longer held, so that the work under it must not go on.
 *
 * @since 0.1
 */
public final class LeaseLostException extends LockException {

    private final transient @Nullable LeaseLost loss;

    LeaseLostException(String name, String owner, @Nullable LeaseLost loss) {
        super(name, message(name, owner, loss), null);
        this.loss = loss;
    }

    private static String message(String name, String owner, @Nullable LeaseLost loss) {
        String reason = loss == null ? "it has expired" : loss.describe();
        return "The lease of '%s' on lock '%s' is lost: %s".formatted(owner, name, reason);
    }

    /**
     * Returns why the lease was lost.
     *
     * @return the notification, or null while the reason is still being determined
     */
    public @Nullable LeaseLost loss() {
        return loss;
    }
}
