/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockSettings;
import io.dynamolock.RetryPolicy;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;

/** Maps properties to the core's settings. The core validates them. */
final class LockSettingsMapper {

    private static final Duration LONGEST_CREATION = Duration.ofDays(1);

    private LockSettingsMapper() {}

    /** Rejects invalid properties before any resource is opened and any request is sent. */
    static void check(ManagerProperties manager) {
        lockSettings(manager);
        retryPolicy(manager);
        if (manager.values().tokenKey() != null) {
            sign(manager, LockManager.builder(new InMemoryLockStore())); // this manager is never built
        }
        Duration creationTimeout = manager.values().table().creationTimeout();
        manager.keys()
                .require(
                        creationTimeout.compareTo(Duration.ZERO) > 0
                                && creationTimeout.compareTo(LONGEST_CREATION) <= 0,
                        "table.creation-timeout",
                        creationTimeout,
                        "be above zero and at most a day");
    }

    static LockSettings lockSettings(ManagerProperties manager) {
        DynamolockProperties properties = manager.values();
        DynamolockProperties.Lease lease = properties.lease();
        DynamolockProperties.Wait wait = properties.waiting();
        ClientProperties client = properties.client();
        return manager.keys()
                .translating(() -> LockSettings.builder()
                        .leaseDuration(lease.duration())
                        .maxLeaseDuration(lease.maxDuration())
                        .time(lease.time())
                        .maxClockSkew(lease.maxClockSkew())
                        .lockDelay(lease.lockDelay())
                        .warnAfter(lease.warnAfter())
                        .heartbeatInterval(properties.heartbeat().interval())
                        .heartbeatThreads(properties.heartbeat().threads())
                        .waitTime(wait.time())
                        .pollMin(wait.pollMin())
                        .pollMax(wait.pollMax())
                        .maxConcurrentRequests(client.maxConcurrentRequests())
                        .attemptTimeout(client.attemptTimeout())
                        .callTimeout(client.callTimeout())
                        .firstResponseTimeout(client.firstResponseTimeout())
                        .namePrefix(properties.namePrefix())
                        .shutdownGrace(properties.shutdown().gracePeriod())
                        .onLost(properties.onLost())
                        .build());
    }

    /** Sets the token key. An empty key is rejected, since it was probably set by mistake. */
    static void sign(ManagerProperties manager, LockManagerBuilder builder) {
        String tokenKey = manager.values().tokenKey();
        if (tokenKey != null) {
            manager.keys().translating(() -> builder.tokenKey(tokenKey));
        }
    }

    static RetryPolicy retryPolicy(ManagerProperties manager) {
        DynamolockProperties.Retry retry = manager.values().retry();
        PropertyKeys keys = manager.keys();
        RetryPolicy policy = keys.translating(() -> RetryPolicy.exponential(
                retry.maxAttempts(), retry.baseDelay(), retry.multiplier(), retry.maxDelay(), retry.jitter()));
        keys.require(
                retry.baseDelay().compareTo(retry.maxDelay()) <= 0,
                "retry.base-delay",
                retry.baseDelay(),
                "not exceed {retry.max-delay} (" + PropertyKeys.shown(retry.maxDelay()) + ")");
        return policy;
    }
}
