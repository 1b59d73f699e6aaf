/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.metrics.LockMetrics;
import io.dynamolock.spring.metrics.ObservationDescriptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the meters, if there is a {@link MeterRegistry}. Like any meters, they can be disabled:
 * {@code management.metrics.enable.dynamolock=false}. A {@link LockMetrics} bean of the application replaces the default
 * one.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DynamolockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, LockManager.class})
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@Import(PropertiesConfiguration.class)
public final class DynamolockMetricsAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockMetricsAutoConfiguration() {}

    @Bean
    static ObservationDescriptions dynamolockObservationDescriptions() {
        return new ObservationDescriptions();
    }

    @Bean
    @ConditionalOnMissingBean
    LockMetrics dynamolockMetrics(
            MeterRegistry registry,
            DynamolockProperties properties,
            @Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock) {
        return new LockMetrics(registry, properties.metrics().lockNameTag(), LockTime.of(clock));
    }

    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockMetricsCustomizer(LockMetrics metrics) {
        return (manager, builder) -> builder.listener(metrics.listener(manager));
    }

    @Bean
    SmartInitializingSingleton dynamolockHeldGauge(LockMetrics metrics, ListableBeanFactory beans) {
        return () -> beans.getBeansOfType(LockManager.class).forEach(metrics::countHeld);
    }
}
