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
    static void check(ManagerProperties manager) {
        lockSettings(manager);
        retryPolicy(manager);
    }

    static LockSettings lockSettings(ManagerProperties manager) {
        DynamolockProperties properties = manager.values();
        DynamolockProperties.Lease lease = properties.lease();
        DynamolockProperties.Wait wait = properties.waiting();
        return manager.keys()
                .translating(() -> new LockSettings(
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
                        properties.onLost(),
                        null));
    }

    static RetryPolicy retryPolicy(ManagerProperties manager) {
        DynamolockProperties.Retry retry = manager.values().retry();
        PropertyKeys keys = manager.keys();
        keys.require(retry.maxAttempts() >= 1, "retry.max-attempts", retry.maxAttempts(), "be 1 or more");
        keys.require(retry.multiplier() >= 1, "retry.multiplier", retry.multiplier(), "be 1 or more");
        keys.require(retry.jitter() >= 0 && retry.jitter() <= 1, "retry.jitter", retry.jitter(), "be from 0 to 1");
        RetryPolicy policy = keys.translating(() -> RetryPolicy.exponential(
                retry.maxAttempts(), retry.baseDelay(), retry.multiplier(), retry.maxDelay(), retry.jitter()));
        keys.require(
                retry.baseDelay().compareTo(retry.maxDelay()) <= 0,
                "retry.base-delay",
                retry.baseDelay(),
                "not exceed {retry.max-delay} (" + retry.maxDelay() + ")");
        return policy;
    }
}
