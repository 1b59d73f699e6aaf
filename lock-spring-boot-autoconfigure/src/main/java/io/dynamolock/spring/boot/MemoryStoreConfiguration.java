/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.MovableClock;
import io.dynamolock.memory.InMemoryLockStore;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A store in this JVM's memory, for {@code dynamolock.store=memory}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "dynamolock.store", havingValue = "memory")
@ConditionalOnMissingBean({LockStore.class, LockManager.class})
class MemoryStoreConfiguration {

    @Bean
    InMemoryLockStore dynamolockStore(DynamolockProperties properties, ObjectProvider<MovableClock> testClock) {
        if (properties.embedded().enabled()) {
            throw new InvalidLockPropertyException(
                    "dynamolock.embedded.enabled",
                    "dynamolock.embedded.enabled = true starts a DynamoDB that dynamolock.store = memory does not use",
                    "Remove one of the two properties.",
                    null);
        }
        LoggerFactory.getLogger(MemoryStoreConfiguration.class)
                .warn("dynamolock.store=memory: locks are kept in this JVM, other processes are not locked out");
        return new InMemoryLockStore(LockTime.of(testClock));
    }
}
