/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single attempts, and releases that cannot fail. */
final class Attempts {

    /** A wait without a limit. */
    static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

    private Attempts() {}

    static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Makes a single attempt, which never throws InterruptedException. */
    static Optional<Lease> now(LockManager locks, LockRequest request) {
        try {
            return locks.tryAcquire(request.waitTime(Duration.ZERO));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Starts an attempt. What a manager throws, although it must not, is the failure of the future. */
    static CompletableFuture<Optional<Lease>> start(LockManager locks, LockRequest request) {
        try {
            return Objects.requireNonNull(locks.tryAcquireAsync(request), "the lock manager returned no future");
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Returns why an attempt has failed already, if that is because its manager is closed; otherwise null. */
    static @Nullable LockManagerClosedException closed(@Nullable CompletableFuture<?> attempt) {
        Throwable failure = attempt == null
                ? null
                : attempt.handle((lease, thrown) -> thrown == null ? null : cause(thrown))
                        .getNow(null);
        return failure instanceof LockManagerClosedException closed ? closed : null;
    }

    /** Returns the failure of an attempt from that of a stage that depends on it. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    static void requireNotNegative(Duration waitTime) {
        requireNotNegative("waitTime", waitTime);
    }

    static void requireNotNegative(String name, Duration time) {
        if (Objects.requireNonNull(time, name).isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative, but is " + time);
        }
    }

    /** Whether the application has released or detached a lease. */
    static boolean isReleased(Lease lease) {
        return lease.state() == LeaseState.RELEASED || lease.state() == LeaseState.DETACHED;
    }

    /** Releases a lease that nobody uses. Never throws: a lease that cannot be released expires. */
    static void releaseQuietly(Lease lease) {
        try {
            lease.close();
        } catch (RuntimeException failure) {
            LOG.debug("Lock '{}' is left to expire: {}", lease.name(), failure.getMessage());
        }
    }
}
