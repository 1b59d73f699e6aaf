/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.MovableClock;
import io.dynamolock.memory.InMemoryLockStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Stores in this JVM's memory, for {@code dynamolock.store=memory}. */
@Configuration(proxyBeanMethods = false)
class MemoryStoreConfiguration {

    @Bean
    MemoryStores dynamolockMemory(ObjectProvider<MovableClock> testClock) {
        return new MemoryStores(LockTime.of(testClock));
    }

    @Bean
    @ConditionalOnProperty(name = "dynamolock.store", havingValue = "memory")
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    InMemoryLockStore dynamolockStore(MemoryStores stores, DynamolockProperties properties) {
        return stores.create(ManagerProperties.ofDefault(properties));
    }
}
