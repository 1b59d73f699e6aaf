/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.health.ManagerVitals;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Configures the state that health and endpoint both show. */
@Configuration(proxyBeanMethods = false)
class LockVitalsConfiguration {

    @Bean
    ManagerVitals dynamolockVitals() {
        return new ManagerVitals();
    }

    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockVitalsCustomizer(ManagerVitals vitals) {
        return (manager, builder) -> builder.listener(vitals.of(manager));
    }
}
