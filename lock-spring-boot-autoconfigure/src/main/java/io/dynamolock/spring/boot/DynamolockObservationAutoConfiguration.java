/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.CallWatcher;
import io.dynamolock.spring.observation.LockObservationConvention;
import io.dynamolock.spring.observation.LockObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of observations of locked calls, if there is an {@link ObservationRegistry}. Like any observation,
 * they can be disabled: {@code management.observations.enable.dynamolock=false}.
 *
 * @since 0.1
 */
@AutoConfiguration(
        after = DynamolockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@Conditional(OnLockManagerCondition.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
public final class DynamolockObservationAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockObservationAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(CallWatcher.class)
    LockObservations dynamolockObservations(
            ObservationRegistry registry, ObjectProvider<LockObservationConvention> convention) {
        return new LockObservations(registry, convention.getIfAvailable());
    }
}
