/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockStore;
import io.dynamolock.spring.health.ManagerVitals;
import io.dynamolock.time.TestClock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the health of locks, if Spring Boot's health module is present, and unless
 * {@code management.health.dynamolock.enabled} is false.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DynamolockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
public final class DynamolockHealthAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockHealthAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @Conditional(OnLockManagerCondition.class)
    @ConditionalOnEnabledHealthIndicator("dynamolock")
    @Import(LockVitalsConfiguration.class)
    static class Indicator {

        @Bean
        @ConditionalOnMissingBean(name = {"dynamolockHealthIndicator", "dynamolockHealthContributor"})
        HealthContributor dynamolockHealthContributor(
                ListableBeanFactory beans,
                ObjectProvider<LockManagerFactory> factory,
                ManagerVitals vitals,
                ObjectProvider<TestClock> testClock) {
            return new LockHealthContributors(
                            LockManagerBeans.in(beans),
                            beans.getBeansOfType(LockStore.class),
                            made(factory.getIfAvailable()),
                            vitals,
                            LockTime.of(testClock))
                    .contributor();
        }

        /** There is no factory where the application excludes {@link DynamolockAutoConfiguration}. */
        private static Function<String, LockManagerFactory.@Nullable Made> made(@Nullable LockManagerFactory factory) {
            return factory == null ? manager -> null : factory::made;
        }
    }
}
