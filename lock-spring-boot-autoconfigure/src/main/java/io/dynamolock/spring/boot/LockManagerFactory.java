/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/** Creates each lock manager that is configured by properties, with the beans that replace its parts. */
final class LockManagerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(LockManagerFactory.class);

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(200);

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
            @Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock,
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
        LockManagerBuilder builder = LockManager.builder(store)
                .settings(LockSettingsMapper.lockSettings(properties))
                .retryPolicy(retryPolicy.getIfAvailable(() -> LockSettingsMapper.retryPolicy(properties)))
                .shutdownAction(
                        new ApplicationExit(application, this::exitMillis, System::exit, Runtime.getRuntime()::halt));
        if (store instanceof DynamoDbLockStore checked) {
            builder.timeSample(checked.table().timeSample());
        }
        LockSettingsMapper.sign(properties, builder);
        own(builder, properties);
        LockTime.bean(clock).ifPresent(builder::clock);
        listen(builder);
        customizers.orderedStream().forEach(customizer -> customizer.customize(manager, builder));
        LockManager built = builder.build();
        built.diagnostics().map(LockDiagnostics::settings).ifPresent(settings -> {
            hasGrace(settings.shutdownGrace());
            if (store instanceof DynamoDbLockStore used) {
                logStart(manager, used, settings);
                warnOfShortLease(settings.leaseDuration(), properties);
            }
        });
        return built;
    }

    private static void logStart(String manager, DynamoDbLockStore store, LockSettings settings) {
        String endpoint = store.table().endpoint();
        LOG.info(
                "Locks of {}: {}{}{}, leases of {}",
                manager,
                store.describe(),
                endpoint == null ? "" : " at " + endpoint,
                settings.namePrefix().isEmpty() ? "" : ", name prefix '" + settings.namePrefix() + "'",
                DurationFormatterUtils.print(settings.leaseDuration(), DurationFormat.Style.COMPOSITE));
    }

    /** A request may take half of the lease, which is not enough for a new connection, a pause or a slow response. */
    private static void warnOfShortLease(Duration lease, ManagerProperties properties) {
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            LOG.warn(
                    "{} ({} ms) leaves DynamoDB {} ms to respond: calls can fail without a response, and leases can be lost."
                            + " Set it to at least {}ms",
                    properties.keys().of("lease.duration"),
                    lease.toMillis(),
                    lease.toMillis() / 2,
                    SHORTEST_LEASE.toMillis());
        }
    }

    private void listen(LockManagerBuilder builder) {
        try {
            listeners.orderedStream().forEach(builder::listener);
        } catch (BeanCreationException failure) {
            if (!leadsToManager(failure)) {
                throw failure;
            }
            throw new InvalidLockPropertyException(
                    "A LockListener bean depends on a LockManager, which is created with its listeners",
                    "Inject ObjectProvider<LockManager> into the listener, and get the manager when an event occurs.",
                    failure);
        }
    }

    /**
     * Returns whether a listener failed because it needs a manager: it found a bean in creation, which was begun neither
     * for the listener itself nor in the background.
     */
    private boolean leadsToManager(BeanCreationException failure) {
        Set<@Nullable String> begun = new HashSet<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BeanCurrentlyInCreationException inCreation) {
                return !begun.contains(inCreation.getBeanName()) && !isInBackground(inCreation.getBeanName());
            }
            if (cause instanceof BeanCreationException creation) {
                begun.add(creation.getBeanName());
            }
        }
        return failure.contains(BeanCurrentlyInCreationException.class);
    }

    private boolean isInBackground(@Nullable String bean) {
        return bean != null
                && application.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans
                && beans.containsBeanDefinition(bean)
                && beans.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                && definition.isBackgroundInit();
    }

    private synchronized void hasGrace(Duration grace) {
        if (grace.compareTo(longestGrace) > 0) {
            longestGrace = grace;
        }
    }

    /** Returns the shutdown timeout. All managers are closed concurrently, whichever of them lost its lease. */
    long exitMillis() {
        return exitMillis(Duration.ZERO);
    }

    long exitMillis(Duration leastGrace) {
        Duration grace = longestGrace.compareTo(leastGrace) < 0 ? leastGrace : longestGrace;
        return ApplicationExit.haltTimeoutMillis(grace, application.getEnvironment());
    }

    private void own(LockManagerBuilder builder, ManagerProperties properties) {
        LockOwnerSupplier supplier = owner.getIfAvailable();
        String name = supplier == null ? properties.values().owner() : supplier.ownerFor(properties.manager());
        if (!StringUtils.hasText(name)) {
            return;
        }
        if (supplier == null) {
            properties.keys().translating(() -> builder.owner(name));
        } else {
            builder.owner(name);
        }
    }
}
