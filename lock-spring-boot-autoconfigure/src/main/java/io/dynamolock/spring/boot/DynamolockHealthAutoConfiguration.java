/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.MovableClock;
import io.dynamolock.spring.health.LockHealthIndicator;
import io.dynamolock.spring.health.LockVitals;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the health of locks, if Spring Boot's health module is there, and unless
 * {@code management.health.dynamolock.enabled} is false.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DynamolockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
public final class DynamolockHealthAutoConfiguration {

    /** Is created by Spring. */
    DynamolockHealthAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(LockManager.class)
    @ConditionalOnEnabledHealthIndicator("dynamolock")
    @Import(LockVitalsConfiguration.class)
    static class Indicator {

        private static final String PROBED = "dynamolock";

        @Bean
        @ConditionalOnMissingBean(name = {"dynamolockHealthIndicator", "dynamolockHealthContributor"})
        LockHealthIndicator dynamolockHealthContributor(
                ListableBeanFactory beans,
                List<LockManager> managers,
                LockVitals vitals,
                DynamolockProperties properties,
                ObjectProvider<MovableClock> testClock) {
            return new LockHealthIndicator(
                    beans.getBeansOfType(LockStore.class),
                    properties.namePrefix() + PROBED,
                    managers,
                    vitals,
                    heartbeatInterval(CoreSettings.lockSettings(properties)),
                    LockTime.of(testClock));
        }

        private static Duration heartbeatInterval(LockSettings settings) {
            Duration interval = settings.heartbeatInterval();
            return interval == null ? settings.leaseDuration().dividedBy(3) : interval;
        }
    }
}
