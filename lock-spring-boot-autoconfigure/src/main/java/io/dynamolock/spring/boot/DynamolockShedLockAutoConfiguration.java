/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.spring.shedlock.LeaseLockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a {@link LeaseLockProvider} on the default lock manager, if ShedLock is on the class path. A
 * {@link LockProvider} bean of the application replaces it.
 *
 * @since 0.1
 */
@AutoConfiguration(after = {DynamolockAutoConfiguration.class, DynamolockDisabledAutoConfiguration.class})
@ConditionalOnClass(ExtensibleLockProvider.class)
@ConditionalOnSingleCandidate(LockManager.class)
public final class DynamolockShedLockAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockShedLockAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    LeaseLockProvider dynamolockLockProvider(LockManager locks) {
        return new LeaseLockProvider(locks);
    }
}
