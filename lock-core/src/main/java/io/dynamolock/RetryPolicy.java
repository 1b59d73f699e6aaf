/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says when a request that failed is tried again. It is about failures only; a busy lock has its own budget, the wait time.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface RetryPolicy {

    /**
     * What the AWS SDK does for DynamoDB: nine attempts in all, up to 25 ms before the second, then up to twice as long each
     * time and never longer than 20 s; each delay is drawn between zero and that limit.
     */
    RetryPolicy DEFAULT = exponential(9, Duration.ofMillis(25), 2, Duration.ofSeconds(20), 1);

    /**
     * Decides about the next attempt.
     *
     * @param attempts how many were made, at least 1
     * @param failure what came of the last one
     * @return how long to wait before the next one; null to give up
     */
    @Nullable
    Duration delayAfter(int attempts, LockStoreException failure);

    /**
     * Makes a policy whose delays grow.
     *
     * @param maxAttempts attempts in all, at least 1
     * @param baseDelay upper limit of the delay before the second attempt
     * @param multiplier from one delay to the next, at least 1
     * @param maxDelay no delay is longer
     * @param jitter the random fraction of each delay, 0 to 1; it only shortens
     * @return a policy that retries what {@link LockStoreException#isRetryable()} says
     */
    static RetryPolicy exponential(
            int maxAttempts, Duration baseDelay, double multiplier, Duration maxDelay, double jitter) {
        return exponential(
                maxAttempts,
                baseDelay,
                multiplier,
                maxDelay,
                jitter,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Makes a policy whose delays grow, with a source of chance to replay.
     *
     * @param maxAttempts attempts in all, at least 1
     * @param baseDelay upper limit of the delay before the second attempt
     * @param multiplier from one delay to the next, at least 1
     * @param maxDelay no delay is longer
     * @param jitter the random fraction of each delay, 0 to 1; it only shortens
     * @param random numbers from 0 to 1
     * @return a policy that retries what {@link LockStoreException#isRetryable()} says
     */
    static RetryPolicy exponential(
            int maxAttempts,
            Duration baseDelay,
            double multiplier,
            Duration maxDelay,
            double jitter,
            DoubleSupplier random) {
        if (maxAttempts < 1 || !(multiplier >= 1) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "maxAttempts (%d) and multiplier (%s) must be at least 1, jitter (%s) 0 to 1"
                            .formatted(maxAttempts, multiplier, jitter));
        }
        Durations.requireShort("baseDelay", Objects.requireNonNull(baseDelay, "baseDelay"));
        Durations.requireShort("maxDelay", Objects.requireNonNull(maxDelay, "maxDelay"));
        Objects.requireNonNull(random, "random");
        return (attempts, failure) -> {
            if (attempts >= maxAttempts || !failure.isRetryable()) {
                return null;
            }
            double millis = (double) baseDelay.toMillis() * Math.pow(multiplier, attempts - 1.0);
            double capped = Math.min(millis, (double) maxDelay.toMillis());
            return Duration.ofNanos((long) (capped * (1 - jitter * random.getAsDouble()) * 1_000_000));
        };
    }
}
