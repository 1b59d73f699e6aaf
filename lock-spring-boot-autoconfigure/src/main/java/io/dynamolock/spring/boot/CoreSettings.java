/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockSettings;
import io.dynamolock.RetryPolicy;

/** The one place where properties become the core's settings. The core says what makes sense; here its words become keys. */
final class CoreSettings {

    private CoreSettings() {}

    /** Refuses what cannot work, before anything is opened, started or asked. */
    static void check(DynamolockProperties properties) {
        lockSettings(properties);
        retryPolicy(properties);
    }

    static LockSettings lockSettings(DynamolockProperties properties) {
        DynamolockProperties.Lease lease = properties.lease();
        DynamolockProperties.Wait wait = properties.waiting();
        return PropertyKeys.translating(() -> new LockSettings(
                lease.duration(),
                lease.maxDuration(),
                lease.time(),
                lease.maxClockSkew(),
                lease.grace(),
                properties.heartbeat().interval(),
                properties.heartbeat().threads(),
                wait.time(),
                wait.pollMin(),
                wait.pollMax(),
                properties.client().attemptTimeout(),
                properties.client().callTimeout(),
                properties.namePrefix(),
                properties.shutdown().gracePeriod(),
                properties.onLost()));
    }

    static RetryPolicy retryPolicy(DynamolockProperties properties) {
        DynamolockProperties.Retry retry = properties.retry();
        PropertyKeys.require(
                retry.maxAttempts() >= 1, "dynamolock.retry.max-attempts", retry.maxAttempts(), "be 1 or more");
        PropertyKeys.require(
                retry.multiplier() >= 1, "dynamolock.retry.multiplier", retry.multiplier(), "be 1 or more");
        PropertyKeys.require(
                retry.jitter() >= 0 && retry.jitter() <= 1,
                "dynamolock.retry.jitter",
                retry.jitter(),
                "be from 0 to 1");
        return PropertyKeys.translating(() -> RetryPolicy.exponential(
                retry.maxAttempts(), retry.baseDelay(), retry.multiplier(), retry.maxDelay(), retry.jitter()));
    }
}
