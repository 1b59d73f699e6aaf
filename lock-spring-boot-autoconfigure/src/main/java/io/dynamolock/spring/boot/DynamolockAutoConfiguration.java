/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import io.dynamolock.spring.LockEvents;
import java.time.Clock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of a {@link LockManager}, and of those in {@code dynamolock.managers}. A {@code LockManager} or
 * {@link LockStore} bean of the application replaces the default one. A {@link RetryPolicy}, a
 * {@link LockOwnerSupplier} or a {@link Clock} named {@code dynamolockClock} applies to all managers.
 * {@link LockListener} beans receive the events of all managers; a {@link LockManagerCustomizer} can register a
 * listener for each of them.
 *
 * @since 0.1
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@Import({
    DynamoDbStoreConfiguration.class,
    MemoryStoreConfiguration.class,
    NamedManagersRegistrar.class,
    PropertiesConfiguration.class,
    SecretsConfiguration.class
})
public final class DynamolockAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockAutoConfiguration() {}

    @Bean
    LockManagerFactory dynamolockManagerFactory(
            ObjectProvider<RetryPolicy> retryPolicy,
            ObjectProvider<LockOwnerSupplier> owner,
            @Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockManagerCustomizer> customizers,
            ApplicationContext application) {
        return new LockManagerFactory(retryPolicy, owner, clock, listeners, customizers, application);
    }

    /** Runs before customizers without an order, so that those of the application run last. */
    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockEvents(ApplicationEventPublisher publisher) {
        return (manager, builder) -> builder.listener(new LockEvents(manager, publisher));
    }

    @Bean
    NamedManagers dynamolockNamedManagers(DynamolockProperties properties, Environment environment) {
        return new NamedManagers(properties, environment);
    }

    @Bean
    NamedManagerFactory dynamolockNamedManagerFactory(
            NamedManagers named,
            LockManagerFactory managers,
            MemoryStoreFactory memory,
            DynamoDbStoreFactory tables,
            DynamoDbClientResolver shared,
            DynamoDbClientFactory clients,
            BeanFactory beans) {
        return new NamedManagerFactory(named, managers, memory, tables, shared, clients, beans);
    }

    @Bean(ManagerProperties.DEFAULT_MANAGER)
    @Primary
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockStore.class)
    LockManager dynamolockManager(LockStore store, DynamolockProperties properties, LockManagerFactory factory) {
        return factory.create(ManagerProperties.ofDefault(properties), store);
    }

    @Bean
    LockManagerLifecycle dynamolockLifecycle(ApplicationContext application, ConfigurableListableBeanFactory beans) {
        return new LockManagerLifecycle(application, beans);
    }
}
