/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for {@code dynamolock.enabled=false}: methods with
 * {@link io.dynamolock.spring.DistributedLock @DistributedLock} run without a lock, the only
 * {@link io.dynamolock.LockManager} beans are those of the application, no request is sent, and one warning is logged.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", havingValue = false)
public final class DynamolockDisabledAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockDisabledAutoConfiguration() {}

    @Bean
    SmartInitializingSingleton dynamolockDisabledNotice() {
        return () -> LoggerFactory.getLogger(DynamolockDisabledAutoConfiguration.class)
                .warn("dynamolock.enabled=false: methods with @DistributedLock run without a lock");
    }
}
