/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.health.LockHealthRegistry;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Configures the state that health and endpoint both show, also those of a child context: a context collects it even if
 * it shows neither, as with {@code dynamolock.enabled=false}.
 */
@Configuration(proxyBeanMethods = false)
class LockHealthConfiguration {

    @Bean
    LockHealthRegistry dynamolockHealthRegistry(ConfigurableListableBeanFactory beans) {
        BeanFactory parent = beans.getParentBeanFactory();
        return new LockHealthRegistry(
                parent == null
                        ? null
                        : parent.getBeanProvider(LockHealthRegistry.class).getIfAvailable(),
                beans::containsLocalBean);
    }

    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockHealthCustomizer(LockHealthRegistry health) {
        return (manager, builder) -> builder.listener(health.of(manager));
    }
}
