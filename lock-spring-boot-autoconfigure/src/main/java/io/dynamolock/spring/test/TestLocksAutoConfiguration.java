/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.boot.ConditionalOnLocking;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockProperties;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import io.dynamolock.spring.boot.LockManagerCustomizer;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration behind {@link AutoConfigureTestLocks}. It applies only to tests with that annotation.
 *
 * @since 0.1
 */
@AutoConfiguration(before = DynamolockAutoConfiguration.class)
@ConditionalOnLocking
public final class TestLocksAutoConfiguration {

    private static final String GRACE_PERIOD = "dynamolock.shutdown.grace-period";
    private static final String MANAGERS = "dynamolock.managers";

    /** Creates the configuration. Called by Spring. */
    TestLocksAutoConfiguration() {}

    /** The clock for locks. A {@code Clock} bean of the application takes precedence for other purposes. */
    @Bean
    @Qualifier("dynamolockClock")
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @Fallback
    @ConditionalOnMissingBean
    TestClock dynamolockTestClock() {
        return new TestClock();
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    LockManagerCustomizer dynamolockTestTime(TestClock clock, Environment environment) {
        boolean hasGrace =
                Binder.get(environment).bind(GRACE_PERIOD, Duration.class).isBound();
        return (manager, builder) -> {
            builder.testClock(clock);
            if (!hasGrace) {
                builder.shutdownGrace(Duration.ZERO); // or locks that tests leave open delay the end of their JVM
            }
        };
    }

    /**
     * Refuses named managers that are set to DynamoDB, before anything connects to it. Mistakes in their properties are
     * left to the binding of all properties.
     */
    @Bean
    static BeanFactoryPostProcessor dynamolockNoTestTables(Environment environment) {
        return beans -> Binder.get(environment)
                .bind(MANAGERS, Bindable.mapOf(String.class, StoreOfManager.class), new IgnoreErrorsBindHandler())
                .orElse(Map.of())
                .forEach((manager, own) -> {
                    if (own.store() == Store.DYNAMODB && !beans.containsBean(manager + "LockStore")) {
                        throw new IllegalStateException(
                                "@AutoConfigureTestLocks needs locks in memory, but %1$s.%2$s.store = dynamodb. Set it to memory in the test, for example by @TestPropertySource(properties = \"%1$s.%2$s.store=memory\"), or remove @AutoConfigureTestLocks."
                                        .formatted(MANAGERS, manager));
                    }
                });
    }

    /**
     * The store of a named manager.
     *
     * @param store its own setting, which takes precedence over that of all managers; null if it has none
     */
    record StoreOfManager(@Nullable Store store) {}

    @Bean
    @ConditionalOnMissingBean
    LockRecorder dynamolockLockRecorder() {
        return new LockRecorder();
    }

    @Bean
    @ConditionalOnMissingBean
    Rival dynamolockRival(ObjectProvider<InMemoryLockStore> store, TestClock clock, DynamolockProperties properties) {
        InMemoryLockStore shared = store.getIfAvailable(() -> {
            throw new IllegalStateException(
                    "@AutoConfigureTestLocks needs locks in memory, but the application defines a"
                            + " LockStore or LockManager bean. Exclude that bean from the test (@Profile(\"!test\")),"
                            + " make it an InMemoryLockStore, or remove @AutoConfigureTestLocks.");
        });
        return new Rival(LockManager.builder(shared)
                .leaseDuration(properties.lease().duration())
                .namePrefix(properties.namePrefix())
                .owner(Rival.OWNER)
                .testClock(clock)
                .build());
    }
}
