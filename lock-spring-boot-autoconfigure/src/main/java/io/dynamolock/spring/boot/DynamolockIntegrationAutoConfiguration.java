/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.integration.LeaseLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Auto-configuration of a {@link LeaseLockRegistry} on the default lock manager, if Spring Integration is on the class
 * path. A {@link LockRegistry} bean of the application replaces it.
 *
 * @since 0.1
 */
@AutoConfiguration(after = {DynamolockAutoConfiguration.class, DynamolockDisabledAutoConfiguration.class})
@ConditionalOnClass({DistributedLock.class, RenewableLockRegistry.class})
@ConditionalOnSingleCandidate(LockManager.class)
public final class DynamolockIntegrationAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockIntegrationAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    LeaseLockRegistry dynamolockLockRegistry(LockManager locks) {
        return new LeaseLockRegistry(locks);
    }
}
