/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.health.LockHealthRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Configures the state that health and endpoint both show. */
@Configuration(proxyBeanMethods = false)
class LockHealthConfiguration {

    @Bean
    LockHealthRegistry dynamolockHealthRegistry() {
        return new LockHealthRegistry();
    }

    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockHealthCustomizer(LockHealthRegistry health) {
        return (manager, builder) -> builder.listener(health.of(manager));
    }
}
