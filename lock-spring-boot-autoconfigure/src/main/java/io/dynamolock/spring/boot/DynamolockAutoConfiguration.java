/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.LockEvents;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.time.Clock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Auto-configuration of a {@link LockManager}, and of those in {@code dynamolock.managers}. A {@code LockManager} or
 * {@link LockStore} bean of the application replaces the default one. The client of a store in DynamoDB is the
 * application's, or is created from {@code dynamolock.client} if there is none, neither a synchronous nor an
 * asynchronous one. A created client is the bean {@code dynamolockDefaultClient}, and no autowire candidate for a
 * {@link DynamoDbClient}, unless qualified by this name. A client of the application named {@code dynamolockClient} is
 * used for locks only. A {@link RetryPolicy}, a {@link LockOwnerSupplier} or a {@link Clock} named
 * {@code dynamolockClock} applies to all managers. {@link LockListener} beans receive the events of all managers; a
 * {@link LockManagerCustomizer} can register a listener for each of them.
 *
 * @since 0.1
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnLocking
@Import({
    CircuitSwitchPostProcessor.class,
    NamedManagersRegistrar.NameCheck.class,
    NamedManagersRegistrar.class,
    PropertiesConfiguration.class
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
        ProcessedProperties.requireUnchanged(OnLocking.locks(application.getEnvironment()), OnLocking.KEY, "true");
        return new LockManagerFactory(retryPolicy, owner, clock, listeners, customizers, application);
    }

    /** Runs before customizers without an order, so that those of the application run last. */
    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockEvents(ApplicationEventPublisher publisher) {
        return (manager, builder) -> builder.listener(new LockEvents(manager, publisher));
    }

    @Bean
    DynamoDbStoreFactory dynamolockStoreFactory(ObjectProvider<DynamoDbLockStoreCustomizer> customizers) {
        return new DynamoDbStoreFactory(customizers);
    }

    @Bean
    @Lazy
    MemoryStoreFactory dynamolockMemoryStoreFactory(@Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock) {
        return new MemoryStoreFactory(LockTime.of(clock));
    }

    @Bean
    DynamoDbClientResolver dynamolockClientResolver(
            @Qualifier(DynamoDbClientResolver.CLIENT) ObjectProvider<DynamoDbClient> forLocks,
            @Qualifier(DynamoDbClientResolver.CLIENT) ObjectProvider<DynamoDbAsyncClient> asyncForLocks,
            ObjectProvider<DynamoDbClient> applications,
            ObjectProvider<DynamoDbAsyncClient> asyncApplications,
            @Qualifier(DynamoDbClientResolver.DEFAULT_CLIENT) ObjectProvider<DynamoDbClient> fallback,
            DynamolockProperties properties,
            BeanFactory beans) {
        return new DynamoDbClientResolver(
                forLocks, asyncForLocks, applications, asyncApplications, fallback, properties, beans);
    }

    @Bean
    @Lazy
    DynamoDbClientFactory dynamolockClientFactory(
            ObjectProvider<DynamoDbClientBuilderCustomizer> customizers,
            ObjectProvider<DynamolockConnectionDetails> connections) {
        return new DynamoDbClientFactory(customizers, connections);
    }

    /** Comes before the default stores, as its condition is the presence of one of the application. */
    @Bean
    @ConditionalOnBean(LockStore.class)
    @ConditionalOnMissingBean(LockManager.class)
    UnusedPropertiesCheck dynamolockReplacedStoreCheck(
            DynamolockProperties properties, ListableBeanFactory beans, Environment environment) {
        return UnusedPropertiesCheck.ofStore(properties, beans, environment);
    }

    @Bean("dynamolockStore")
    @Conditional(OnMemoryStore.class)
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    InMemoryLockStore dynamolockMemoryStore(MemoryStoreFactory stores, DynamolockProperties properties) {
        ProcessedProperties.requireUnchanged(properties.store() == Store.MEMORY, "store", "memory");
        return stores.create(ManagerProperties.ofDefault(properties));
    }

    /**
     * Lazy, because an auto-configuration that comes later may define the client of the application. Comes after the
     * store in memory and before that in DynamoDB, as its condition excludes the presence of a store.
     */
    @Bean(name = DynamoDbClientResolver.DEFAULT_CLIENT, defaultCandidate = false)
    @Lazy
    @ConditionalOnMissingBean(
            value = {LockStore.class, LockManager.class, DynamoDbClient.class},
            name = DynamoDbClientResolver.CLIENT)
    DynamoDbClient dynamolockDefaultClient(
            DynamoDbClientFactory clients, DynamolockProperties properties, NamedManagers named) {
        ManagerProperties manager = ManagerProperties.ofDefault(properties);
        return clients.create(manager, named.connectionsWith(manager));
    }

    @Bean
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    DynamoDbLockStore dynamolockStore(
            DynamoDbStoreFactory stores, DynamoDbClientResolver clients, DynamolockProperties properties) {
        ProcessedProperties.requireUnchanged(properties.store() == Store.DYNAMODB, "store", "dynamodb");
        ManagerProperties manager = ManagerProperties.ofDefault(properties);
        LockSettingsMapper.check(manager);
        return stores.create(manager, clients.client(manager));
    }

    @Bean
    static BeanFactoryPostProcessor dynamolockInheritedManagers(Environment environment) {
        return beans -> NamedManagersRegistrar.removeInherited(beans, environment);
    }

    @Bean
    @Lazy
    NamedManagers dynamolockNamedManagers(DynamolockProperties properties, Environment environment) {
        return new NamedManagers(properties, environment);
    }

    @Bean
    @Lazy
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

    /** Comes before the default manager, as its condition is the presence of one of the application. */
    @Bean
    @ConditionalOnBean(value = LockManager.class, search = SearchStrategy.CURRENT)
    UnusedPropertiesCheck dynamolockReplacedManagerCheck(DynamolockProperties properties, Environment environment) {
        return UnusedPropertiesCheck.ofManager(properties, environment);
    }

    @Bean(ManagerProperties.DEFAULT_MANAGER)
    @Primary
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockStore.class)
    LockManager dynamolockManager(
            ObjectProvider<LockStore> store, DynamolockProperties properties, LockManagerFactory factory) {
        return factory.create(ManagerProperties.ofDefault(properties), theOnly(store));
    }

    private static LockStore theOnly(ObjectProvider<LockStore> stores) {
        try {
            return stores.getObject();
        } catch (NoUniqueBeanDefinitionException several) {
            throw InvalidLockPropertyException.several(
                    "LockStore",
                    several,
                    "Mark the one of the default lock manager as @Primary, or declare the others with"
                            + " @Bean(defaultCandidate = false).");
        }
    }

    @Bean
    LockManagerLifecycle dynamolockLifecycle(ApplicationContext application, ConfigurableListableBeanFactory beans) {
        return new LockManagerLifecycle(application, beans);
    }

    /** Converts the value as {@link DynamolockProperties} do, whose binding then rejects an invalid one. */
    static final class OnMemoryStore implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            try {
                return Binder.get(context.getEnvironment())
                                .bind("dynamolock.store", Store.class)
                                .orElse(Store.DYNAMODB)
                        == Store.MEMORY;
            } catch (BindException invalid) {
                return false;
            }
        }
    }
}
