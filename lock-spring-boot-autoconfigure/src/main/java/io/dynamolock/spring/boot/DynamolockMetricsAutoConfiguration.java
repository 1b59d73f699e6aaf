/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.BeanTypes;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.leader.OnlyOnLeaderAdvisor;
import io.dynamolock.spring.metrics.LockMetrics;
import io.dynamolock.spring.metrics.ObservationDescriptions;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the meters, if there is a {@link MeterRegistry}. Like any meters, they can be disabled:
 * {@code management.metrics.enable.dynamolock=false}. A {@link LockMetrics} bean of the application replaces the
 * default one. With {@code dynamolock.enabled=false}, it only serves managers that the application builds itself.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = {
            DynamolockAutoConfiguration.class,
            DynamolockDisabledAutoConfiguration.class,
            DynamolockLeaderAutoConfiguration.class
        },
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBean(LockManager.class)
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
    LockMetrics dynamolockMetrics(MeterRegistry registry, DynamolockProperties properties) {
        return new LockMetrics(registry, properties.metrics().lockNameTag());
    }

    /**
     * The meters that end with this context, although its {@code LockMetrics} may be that of a parent.
     *
     * @param metrics their factory
     */
    record ContextMeters(LockMetrics metrics) implements AutoCloseable {

        @Override
        public void close() {
            metrics.close();
        }
    }

    @Bean
    ContextMeters dynamolockContextMeters(LockMetrics metrics) {
        return new ContextMeters(metrics.forContext());
    }

    @Bean
    @Order(0)
    LockManagerCustomizer dynamolockMetricsCustomizer(ContextMeters meters) {
        return (manager, builder) -> builder.listener(meters.metrics().listener(manager));
    }

    /** Shows the state of managers that exist, and creates none. A parent with metrics shows its own. */
    @Bean
    @ConditionalOnLocking
    SmartInitializingSingleton dynamolockStateGauges(ContextMeters meters, ConfigurableListableBeanFactory beans) {
        boolean hasMetricsOfParent = beans.getBeanNamesForType(LockMetrics.class, true, false).length == 0;
        return () -> {
            for (String name : hasMetricsOfParent
                    ? beans.getBeanNamesForType(LockManager.class, false, false)
                    : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockManager.class, false, false)) {
                meters.metrics()
                        .showState(
                                name,
                                () -> BeanTypes.isCreated(name, beans) ? beans.getBean(name, LockManager.class) : null);
            }
        };
    }

    /** Registers no meters for several leaderships without a primary one: no tag would distinguish them. */
    @Bean
    @ConditionalOnBean({Leadership.class, OnlyOnLeaderAdvisor.class})
    SmartInitializingSingleton dynamolockLeaderMeters(
            ContextMeters meters,
            ObjectProvider<Leadership> leadership,
            OnlyOnLeaderAdvisor advisor,
            ConfigurableListableBeanFactory beans) {
        return () -> leadership.ifUnique(
                only -> meters.metrics().countLeadership(ElectingManager.in(beans), only, advisor::skipped));
    }
}
