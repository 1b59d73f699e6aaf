/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Delays that grow by a factor, up to a limit, each shortened at random.
 *
 * @param maxAttempts attempts in total, at least 1
 * @param baseDelay the upper limit of the delay before the second attempt
 * @param multiplier the factor from one delay to the next, at least 1
 * @param maxDelay the upper limit of every delay
 * @param jitter the random fraction of each delay, 0 to 1
 * @param random a source of numbers from 0 to 1
 */
record ExponentialBackoff(
        int maxAttempts, Duration baseDelay, double multiplier, Duration maxDelay, double jitter, DoubleSupplier random)
        implements RetryPolicy {

    ExponentialBackoff {
        SettingsRules.require(maxAttempts >= 1, "maxAttempts", maxAttempts, "must be at least 1");
        SettingsRules.require(multiplier >= 1, "multiplier", multiplier, "must be at least 1");
        SettingsRules.require(jitter >= 0 && jitter <= 1, "jitter", jitter, "must be from 0 to 1");
        SettingsRules.requireShort("baseDelay", Objects.requireNonNull(baseDelay, "baseDelay"));
        SettingsRules.requireShort("maxDelay", Objects.requireNonNull(maxDelay, "maxDelay"));
        Objects.requireNonNull(random, "random");
    }

    @Override
    public @Nullable Duration delayAfter(int attempts, LockStoreException failure) {
        if (attempts >= maxAttempts || !failure.isRetryable()) {
            return null;
        }
        double nanos = (double) baseDelay.toNanos() * Math.pow(multiplier, attempts - 1.0);
        double capped = Math.min(nanos, (double) maxDelay.toNanos());
        return Duration.ofNanos((long) (capped * (1 - jitter * random.getAsDouble())));
    }
}
