/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a lease is no longer held: to work that must not go on, and to the caller of work that has ended under a
 * lost lease, so that another process may have worked under the lock at the same time. The caller then gets neither the
 * result of the work nor its exception, which is {@linkplain #getSuppressed() suppressed} here.
 *
 * @since 0.1
 */
public final class LeaseLostException extends LockException {

    private final transient @Nullable LeaseLost loss;

    LeaseLostException(String name, String owner, @Nullable LeaseLost loss) {
        super(name, message(name, owner, loss), null);
        this.loss = loss;
    }

    /** Creates the exception for the caller of work that has ended, with the exception of the work as suppressed. */
    LeaseLostException(String name, String owner, @Nullable LeaseLost loss, @Nullable Throwable thrown) {
        super(name, message(name, owner, loss) + "; " + outcome(thrown), null);
        this.loss = loss;
        if (thrown != null) {
            addSuppressed(thrown);
        }
    }

    private LeaseLostException(String message, LeaseLost loss) {
        super(loss.name(), message, null);
        this.loss = loss;
    }

    /** Creates the exception for a detached lease, whose owner is not known any more. */
    static LeaseLostException ofDetached(LeaseLost loss) {
        String message =
                "The detached lease on lock '%s' cannot be resumed: %s".formatted(loss.name(), loss.describeDetached());
        return new LeaseLostException(message, loss);
    }

    private static String outcome(@Nullable Throwable thrown) {
        return thrown == null
                ? "the work under it has run to its end: its changes stay unless a transaction rolls them back, its return value is dropped"
                : "the work under it has failed: " + thrown;
    }

    private static String message(String name, String owner, @Nullable LeaseLost loss) {
        String reason = loss == null ? "it has expired" : loss.describe();
        return "The lease of '%s' on lock '%s' is lost: %s".formatted(owner, name, reason);
    }

    /**
     * Returns why the lease was lost.
     *
     * @return the notification; null while the reason is still being determined, and after deserialization
     */
    public @Nullable LeaseLost loss() {
        return loss;
    }
}
