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
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of a {@link LockManager}, and of those in {@code dynamolock.managers}. A {@code LockManager} or
 * {@link LockStore} bean of the application takes the place of the default ones; a {@link RetryPolicy}, a
 * {@link LockOwnerSupplier}, or a {@link Clock} named {@code dynamolockClock} takes its place in all of them. {@link LockListener}
 * beans are told what happens in all of them, a {@link LockManagerCustomizer} can tell them apart.
 *
 * @since 0.1
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DynamolockProperties.class)
@Import({
    DynamoDbStoreConfiguration.class,
    MemoryStoreConfiguration.class,
    NamedManagersConfiguration.class,
    SecretsConfiguration.class
})
public final class DynamolockAutoConfiguration {

    /** Is created by Spring. */
    DynamolockAutoConfiguration() {}

    @Bean
    LockManagerFactory dynamolockManagerFactory(
            ObjectProvider<RetryPolicy> retryPolicy,
            ObjectProvider<LockOwnerSupplier> owner,
            @Qualifier(LockManagerFactory.CLOCK) ObjectProvider<Clock> clock,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockManagerCustomizer> customizers,
            ApplicationContext application) {
        return new LockManagerFactory(retryPolicy, owner, clock, listeners, customizers, application);
    }

    /** Before what else listens, so that a customizer of the application comes last. */
    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockEvents(ApplicationEventPublisher publisher) {
        return (manager, builder) -> builder.listener(new LockEvents(manager, publisher));
    }

    @Bean(ManagerProperties.DEFAULT_MANAGER)
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockStore.class)
    LockManager dynamolockManager(LockStore store, DynamolockProperties properties, LockManagerFactory factory) {
        return factory.create(ManagerProperties.ofDefault(properties), store);
    }

    @Bean
    @Conditional(OnLockManagerCondition.class)
    LockManagerLifecycle dynamolockLifecycle(ListableBeanFactory beans) {
        return new LockManagerLifecycle(LockManagerBeans.in(beans).values());
    }
}
