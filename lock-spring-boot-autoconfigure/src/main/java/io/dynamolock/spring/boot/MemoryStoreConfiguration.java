/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures in-memory stores, for {@code dynamolock.store=memory}. */
@Configuration(proxyBeanMethods = false)
class MemoryStoreConfiguration {

    @Bean
    MemoryStoreFactory dynamolockMemory(@Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock) {
        return new MemoryStoreFactory(LockTime.of(clock));
    }

    @Bean
    @ConditionalOnProperty(name = "dynamolock.store", havingValue = "memory")
    @ConditionalOnMissingBean({LockStore.class, LockManager.class})
    InMemoryLockStore dynamolockStore(MemoryStoreFactory stores, DynamolockProperties properties) {
        return stores.create(ManagerProperties.ofDefault(properties));
    }
}
