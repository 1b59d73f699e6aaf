/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.spring.embedded.EmbeddedDynamoDb;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Stores in DynamoDB tables. The client is the embedded DynamoDB's if that is asked for, else the application's, else one
 * made from {@code dynamolock.client}. A client of ours is no candidate where the application injects a
 * {@code DynamoDbClient}, unless it asks for it by name; one of the application's with that name is for locks alone.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DynamoDbClient.class)
class DynamoDbStoreConfiguration {

    @Bean
    DynamoDbStores dynamolockStores(ObjectProvider<DynamoDbLockStoreCustomizer> customizers) {
        return new DynamoDbStores(customizers);
    }

    @Bean
    DynamoDbClientChoice dynamolockClientChoice(
            @Qualifier(DynamoDbClientChoice.CLIENT) ObjectProvider<DynamoDbClient> forLocks,
            ObjectProvider<DynamoDbClient> applications) {
        return new DynamoDbClientChoice(forLocks, applications);
    }

    @Bean
    DynamoDbClients dynamolockClients(ObjectProvider<DynamolockClientCustomizer> customizers) {
        return new DynamoDbClients(customizers);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "dynamolock.store", havingValue = "dynamodb", matchIfMissing = true)
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    static class Default {

        @Bean
        DynamoDbLockStore dynamolockStore(
                DynamoDbStores stores, DynamoDbClientChoice clients, DynamolockProperties properties) {
            ManagerProperties manager = ManagerProperties.ofDefault(properties);
            CoreSettings.check(manager);
            return stores.create(manager, clients.client());
        }

        @Bean(name = DynamoDbClientChoice.CLIENT, defaultCandidate = false)
        @ConditionalOnBooleanProperty(name = "dynamolock.embedded.enabled", havingValue = false, matchIfMissing = true)
        @ConditionalOnMissingBean(value = DynamoDbClient.class, name = DynamoDbClientChoice.CLIENT)
        DynamoDbClient dynamolockClient(DynamoDbClients clients, DynamolockProperties properties, NamedManagers named) {
            ManagerProperties manager = ManagerProperties.ofDefault(properties);
            return clients.create(manager, named.connectionsWith(manager));
        }
    }

    /** Started for the first store that wants it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("dynamolock.embedded.enabled")
    static class Embedded {

        @Lazy
        @Bean(name = DynamoDbClientChoice.CLIENT, defaultCandidate = false)
        @ConditionalOnMissingBean(name = DynamoDbClientChoice.CLIENT)
        DynamoDbClient dynamolockClient(
                DynamoDbClients clients,
                ObjectProvider<EmbeddedDynamoDb> server,
                DynamolockProperties properties,
                NamedManagers named) {
            EmbeddedDynamoDb running = server.getIfAvailable(() -> {
                throw PropertyKeys.DEFAULT.refusal(
                        "embedded.enabled",
                        "{embedded.enabled} = true, but DynamoDB Local is not on the class path",
                        "Add software.amazon.dynamodb:DynamoDBLocal, or remove the property.",
                        null);
            });
            return clients.createFor(
                    running.endpoint(), named.connectionsWith(ManagerProperties.ofDefault(properties)));
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = "software.amazon.dynamodb.services.local.server.DynamoDBProxyServer")
        static class Server {

            @Lazy
            @Bean
            EmbeddedDynamoDb dynamolockEmbedded(DynamolockProperties properties) {
                if (properties.client().endpoint() != null) {
                    throw PropertyKeys.DEFAULT.refusal(
                            "client.endpoint",
                            "{client.endpoint} and {embedded.enabled} = true name two different databases",
                            "Remove one of the two properties.",
                            null);
                }
                return EmbeddedDynamoDb.start(properties.embedded().port());
            }
        }
    }
}
