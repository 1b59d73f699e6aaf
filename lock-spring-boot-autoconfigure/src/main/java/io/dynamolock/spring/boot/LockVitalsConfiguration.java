/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.health.LockVitals;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What health and endpoint both show. */
@Configuration(proxyBeanMethods = false)
class LockVitalsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockVitals dynamolockVitals() {
        return new LockVitals();
    }
}
