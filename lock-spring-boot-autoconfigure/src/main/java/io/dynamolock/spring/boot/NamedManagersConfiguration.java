/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.memory.InMemoryLockStore;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Factory beans of the managers in {@code dynamolock.managers.<name>.*}. Their methods are called once for each name. */
@Configuration(proxyBeanMethods = false)
@Import(NamedManagersRegistrar.class)
class NamedManagersConfiguration {

    static final String MANAGERS = "dynamolockNamedManagers";
    static final String IN_MEMORY = "dynamolockNamedInMemory";
    static final String IN_DYNAMODB = "dynamolockNamedInDynamoDb";

    @Bean
    NamedManagers dynamolockManagerProperties(Environment environment) {
        return new NamedManagers(environment);
    }

    @Bean(MANAGERS)
    Managers dynamolockNamedManagers(NamedManagers named, LockManagerFactory factory, BeanFactory beans) {
        return new Managers(named, factory, beans);
    }

    @Bean(IN_MEMORY)
    InMemory dynamolockNamedInMemory(NamedManagers named, MemoryStoreFactory stores) {
        return new InMemory(named, stores);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DynamoDbClient.class)
    static class WithSdk {

        @Bean(IN_DYNAMODB)
        InDynamoDb dynamolockNamedInDynamoDb(
                NamedManagers named,
                DynamoDbStoreFactory stores,
                DynamoDbClientResolver choice,
                DynamoDbClientFactory clients,
                ConfigurableListableBeanFactory beans) {
            return new InDynamoDb(named, stores, choice, clients, beans);
        }
    }

    record Managers(NamedManagers named, LockManagerFactory factory, BeanFactory beans) {

        LockManager manager(String name) {
            return factory.create(named.of(name), beans.getBean(ManagerProperties.storeBean(name), LockStore.class));
        }
    }

    record InMemory(NamedManagers named, MemoryStoreFactory stores) {

        InMemoryLockStore store(String name) {
            return stores.create(named.of(name));
        }
    }

    record InDynamoDb(
            NamedManagers named,
            DynamoDbStoreFactory stores,
            DynamoDbClientResolver choice,
            DynamoDbClientFactory clients,
            ConfigurableListableBeanFactory beans) {

        DynamoDbLockStore store(String name) {
            ManagerProperties manager = named.of(name);
            String bean = ManagerProperties.clientBean(name);
            boolean ours =
                    IN_DYNAMODB.equals(beans.getMergedBeanDefinition(bean).getFactoryBeanName());
            return stores.create(
                    manager, choice.client(manager, !ours, () -> beans.getBean(bean, DynamoDbClient.class)));
        }

        DynamoDbClient client(String name) {
            ManagerProperties manager = named.of(name);
            return clients.create(
                    manager, LockSettingsMapper.lockSettings(manager).connections());
        }
    }
}
