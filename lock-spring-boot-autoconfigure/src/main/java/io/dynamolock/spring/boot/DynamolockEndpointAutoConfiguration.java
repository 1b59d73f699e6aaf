/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.health.LockHealthRegistry;
import io.dynamolock.spring.interceptor.DistributedLockAdvisor;
import java.time.Clock;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the actuator endpoint {@code distributedlocks}, if it is exposed.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = {DynamolockAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class},
        afterName = "org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration")
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@Import(LockHealthConfiguration.class)
public final class DynamolockEndpointAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockEndpointAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnLocking
    @ConditionalOnBean(LockManager.class)
    @ConditionalOnAvailableEndpoint(DistributedLocksEndpoint.class)
    static class Exposed {

        /** Creates no manager before the first request. */
        @Bean
        @ConditionalOnMissingBean
        DistributedLocksEndpoint dynamolockEndpoint(
                ListableBeanFactory beans,
                ObjectProvider<LockManager> unqualified,
                LockHealthRegistry health,
                ObjectProvider<DistributedLockAdvisor> advisor,
                ObjectProvider<Leadership> leadership,
                ObjectProvider<EndpointAccessResolver> access,
                @Qualifier(LockTime.CLOCK) ObjectProvider<Clock> clock) {
            return new DistributedLocksEndpoint(
                    SingletonSupplier.of(() ->
                            BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, LockManager.class, false, true)),
                    unqualified::getIfUnique,
                    health,
                    () -> advisor.stream()
                            .map(DistributedLockAdvisor::declaredLocks)
                            .flatMap(List::stream)
                            .toList(),
                    leadership.getIfUnique(),
                    LockTime.of(clock),
                    releases(access));
        }

        private static boolean releases(ObjectProvider<EndpointAccessResolver> access) {
            EndpointAccessResolver resolver = access.getIfAvailable();
            return resolver != null
                    && resolver.accessFor(EndpointId.of(DistributedLocksEndpoint.ID), Access.READ_ONLY)
                            == Access.UNRESTRICTED;
        }
    }
}
