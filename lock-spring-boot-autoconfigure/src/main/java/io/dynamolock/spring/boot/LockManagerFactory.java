/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.util.StringUtils;

/**
 * Makes each lock manager that properties describe, with what the application has in the place of their parts, and remembers
 * what it was made from.
 */
final class LockManagerFactory {

    /** The bean name of a clock that is for locks: one that an application has for its own purposes may stand still. */
    static final String CLOCK = "dynamolockClock";

    /**
     * A manager and what it was made from.
     *
     * @param properties as they were
     * @param store where its locks are
     */
    record Made(ManagerProperties properties, LockStore store) {}

    private final Map<String, Made> made = new ConcurrentHashMap<>();
    private volatile Duration longestGrace = Duration.ZERO;
    private final ObjectProvider<RetryPolicy> retryPolicy;
    private final ObjectProvider<LockOwnerSupplier> owner;
    private final ObjectProvider<Clock> clock;
    private final ObjectProvider<LockListener> listeners;
    private final ObjectProvider<LockManagerCustomizer> customizers;
    private final ApplicationContext application;

    LockManagerFactory(
            ObjectProvider<RetryPolicy> retryPolicy,
            ObjectProvider<LockOwnerSupplier> owner,
            @Qualifier(CLOCK) ObjectProvider<Clock> clock,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockManagerCustomizer> customizers,
            ApplicationContext application) {
        this.retryPolicy = retryPolicy;
        this.owner = owner;
        this.clock = clock;
        this.listeners = listeners;
        this.customizers = customizers;
        this.application = application;
    }

    LockManager create(ManagerProperties properties, LockStore store) {
        String manager = properties.manager();
        LockManager.Builder builder = LockManager.builder(store)
                .settings(LockSettingsMapper.lockSettings(properties))
                .retryPolicy(retryPolicy.getIfAvailable(() -> LockSettingsMapper.retryPolicy(properties)))
                .shutdownAction(
                        new ApplicationExit(application, this::exitMillis, System::exit, Runtime.getRuntime()::halt));
        LockSettingsMapper.sign(properties, builder);
        String name = owner(properties);
        if (StringUtils.hasText(name)) {
            builder.owner(name);
        }
        clock.ifAvailable(builder::clock);
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(manager, builder));
        made.put(manager, new Made(properties, store));
        LockManager built = builder.build();
        built.settings().map(LockSettings::shutdownGrace).ifPresent(this::hasGrace);
        return built;
    }

    private synchronized void hasGrace(Duration grace) {
        if (grace.compareTo(longestGrace) > 0) {
            longestGrace = grace;
        }
    }

    /** All managers are closed side by side, whichever lost its lease. */
    long exitMillis() {
        return ApplicationExit.patienceMillis(longestGrace, application.getEnvironment());
    }

    private @Nullable String owner(ManagerProperties properties) {
        LockOwnerSupplier supplier = owner.getIfAvailable();
        return supplier == null ? properties.values().owner() : supplier.ownerFor(properties.manager());
    }

    /** Null if the application made the manager itself. */
    @Nullable
    Made made(String manager) {
        return made.get(manager);
    }
}
