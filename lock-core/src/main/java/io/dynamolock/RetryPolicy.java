/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when a failed request is retried. Applies to failures only; a busy lock has its own budget, the
 * wait time.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface RetryPolicy {

    /**
     * The policy of the AWS SDK for DynamoDB: nine attempts in total, a delay of up to 25 ms before the second, then up
     * to twice as long each time and at most 20 s; each delay is random between zero and that limit.
     */
    RetryPolicy DEFAULT = exponential(9, Duration.ofMillis(25), 2, Duration.ofSeconds(20), 1);

    /**
     * Returns the delay before the next attempt.
     *
     * @param attempts the number of attempts made, at least 1
     * @param failure the failure of the last attempt
     * @return the delay, of which a negative one counts as zero; null to give up
     */
    @Nullable
    Duration delayAfter(int attempts, LockStoreException failure);

    /**
     * Returns a policy with exponential backoff.
     *
     * @param maxAttempts attempts in total, at least 1
     * @param baseDelay the upper limit of the delay before the second attempt, zero to 365 days
     * @param multiplier the factor from one delay to the next, at least 1
     * @param maxDelay the upper limit of every delay, zero to 365 days
     * @param jitter the random fraction of each delay, 0 to 1; it only shortens delays
     * @return a policy that retries failures that are {@linkplain LockStoreException#isRetryable() retryable}
     * @throws InvalidSettingException if an argument is out of range
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
     * Returns a policy with exponential backoff and a given source of random numbers, for reproducible delays.
     *
     * @param maxAttempts attempts in total, at least 1
     * @param baseDelay the upper limit of the delay before the second attempt, zero to 365 days
     * @param multiplier the factor from one delay to the next, at least 1
     * @param maxDelay the upper limit of every delay, zero to 365 days
     * @param jitter the random fraction of each delay, 0 to 1; it only shortens delays
     * @param random a source of numbers from 0 to 1
     * @return a policy that retries failures that are {@linkplain LockStoreException#isRetryable() retryable}
     * @throws InvalidSettingException if an argument is out of range
     */
    static RetryPolicy exponential(
            int maxAttempts,
            Duration baseDelay,
            double multiplier,
            Duration maxDelay,
            double jitter,
            DoubleSupplier random) {
        return new ExponentialBackoff(maxAttempts, baseDelay, multiplier, maxDelay, jitter, random);
    }
}
