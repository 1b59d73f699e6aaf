/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Configures stores in DynamoDB tables. The client is the application's, or is created from {@code dynamolock.client}
 * if there is none. The latter is not an autowire candidate for a {@code DynamoDbClient}, unless qualified by its name.
 * A client of the application with that name is used for locks only.
 */
@Configuration(proxyBeanMethods = false)
class DynamoDbStoreConfiguration {

    @Bean
    DynamoDbStoreFactory dynamolockStores(ObjectProvider<DynamoDbLockStoreCustomizer> customizers) {
        return new DynamoDbStoreFactory(customizers);
    }

    @Bean
    DynamoDbClientResolver dynamolockClientChoice(
            @Qualifier(DynamoDbClientResolver.CLIENT) ObjectProvider<DynamoDbClient> forLocks,
            ObjectProvider<DynamoDbClient> applications,
            @Qualifier(DynamoDbClientResolver.DEFAULT_CLIENT) ObjectProvider<DynamoDbClient> fallback) {
        return new DynamoDbClientResolver(forLocks, applications, fallback);
    }

    @Bean
    DynamoDbClientFactory dynamolockClients(
            ObjectProvider<DynamoDbClientBuilderCustomizer> customizers,
            ObjectProvider<DynamolockConnectionDetails> connections) {
        return new DynamoDbClientFactory(customizers, connections);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "dynamolock.store", havingValue = "dynamodb", matchIfMissing = true)
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    static class Default {

        @Bean
        DynamoDbLockStore dynamolockStore(
                DynamoDbStoreFactory stores, DynamoDbClientResolver clients, DynamolockProperties properties) {
            ManagerProperties manager = ManagerProperties.ofDefault(properties);
            LockSettingsMapper.check(manager);
            return stores.create(manager, clients.client());
        }

        /** Lazy, because an auto-configuration that comes later may define the client of the application. */
        @Bean(name = DynamoDbClientResolver.DEFAULT_CLIENT, defaultCandidate = false)
        @Lazy
        @ConditionalOnMissingBean(value = DynamoDbClient.class, name = DynamoDbClientResolver.CLIENT)
        DynamoDbClient dynamolockDefaultClient(
                DynamoDbClientFactory clients, DynamolockProperties properties, NamedManagers named) {
            ManagerProperties manager = ManagerProperties.ofDefault(properties);
            return clients.create(manager, named.connectionsWith(manager));
        }
    }
}
