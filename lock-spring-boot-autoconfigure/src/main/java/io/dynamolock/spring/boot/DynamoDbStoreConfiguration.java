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
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A store in a DynamoDB table. The client is the embedded DynamoDB's if that is asked for, else the application's, else one
 * made from {@code dynamolock.client}. A client of ours is no candidate where the application injects a
 * {@code DynamoDbClient}, unless it asks for it by name.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DynamoDbClient.class)
@ConditionalOnProperty(name = "dynamolock.store", havingValue = "dynamodb", matchIfMissing = true)
@ConditionalOnMissingBean({LockStore.class, LockManager.class})
class DynamoDbStoreConfiguration {

    private static final String OUR_CLIENT = "dynamolockClient";

    @Bean
    DynamoDbLockStore dynamolockStore(
            @Qualifier(OUR_CLIENT) ObjectProvider<DynamoDbClient> ours,
            ObjectProvider<DynamoDbClient> applications,
            DynamolockProperties properties) {
        CoreSettings.check(properties);
        DynamoDbClient client = ours.getIfAvailable(applications::getObject);
        return DynamoDbStores.create(client, properties);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "dynamolock.embedded.enabled", havingValue = false, matchIfMissing = true)
    static class OwnClient {

        @Bean(name = OUR_CLIENT, defaultCandidate = false)
        @ConditionalOnMissingBean(DynamoDbClient.class)
        DynamoDbClient dynamolockClient(DynamolockProperties properties) {
            return DynamoDbClients.create(properties.client());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("dynamolock.embedded.enabled")
    static class EmbeddedClient {

        @Bean(name = OUR_CLIENT, defaultCandidate = false)
        DynamoDbClient dynamolockClient(ObjectProvider<EmbeddedDynamoDb> server, DynamolockProperties properties) {
            EmbeddedDynamoDb running = server.getIfAvailable(() -> {
                throw new InvalidLockPropertyException(
                        "dynamolock.embedded.enabled",
                        "dynamolock.embedded.enabled = true, but DynamoDB Local is not on the class path",
                        "Add software.amazon.dynamodb:DynamoDBLocal, or remove the property.",
                        null);
            });
            return DynamoDbClients.createFor(running.endpoint());
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = "software.amazon.dynamodb.services.local.server.DynamoDBProxyServer")
        static class Server {

            @Bean
            EmbeddedDynamoDb dynamolockEmbedded(DynamolockProperties properties) {
                if (properties.client().endpoint() != null) {
                    throw new InvalidLockPropertyException(
                            "dynamolock.client.endpoint",
                            "dynamolock.client.endpoint and dynamolock.embedded.enabled = true name two different databases",
                            "Remove one of the two properties.",
                            null);
                }
                return EmbeddedDynamoDb.start(properties.embedded().port());
            }
        }
    }
}
