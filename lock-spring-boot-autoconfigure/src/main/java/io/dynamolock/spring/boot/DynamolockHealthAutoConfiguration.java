/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.health.LockHealthIndicator;
import io.dynamolock.spring.health.LockHealthRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the health of locks, if Spring Boot's health module is present, and unless
 * {@code management.health.dynamolock.enabled} is false. With {@code dynamolock.enabled=false}, there is only the
 * registry, for managers that the application builds itself.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DynamolockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@Import(LockHealthConfiguration.class)
public final class DynamolockHealthAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockHealthAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnLocking
    @ConditionalOnBean(LockManager.class)
    @ConditionalOnEnabledHealthIndicator("dynamolock")
    static class Indicator {

        /**
         * Returns one indicator for a single manager, which a parent may have, else a composite with one for each.
         * Creates no manager.
         */
        @Bean
        @ConditionalOnMissingBean(name = {"dynamolockHealthIndicator", "dynamolockHealthContributor"})
        HealthContributor dynamolockHealthContributor(ListableBeanFactory beans, LockHealthRegistry health) {
            Map<String, LockHealthIndicator> indicators = new LinkedHashMap<>();
            for (String name :
                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockManager.class, false, false)) {
                indicators.put(
                        name,
                        new LockHealthIndicator(
                                () -> beans.getBean(name, LockManager.class),
                                ManagerProperties::probedRow,
                                health.of(name)));
            }
            return indicators.size() == 1
                    ? indicators.values().iterator().next()
                    : CompositeHealthContributor.fromMap(indicators);
        }
    }
}
