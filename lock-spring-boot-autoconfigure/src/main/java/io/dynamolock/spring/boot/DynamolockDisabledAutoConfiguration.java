/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for {@code dynamolock.enabled=false}: everything runs without locks. The lock managers that would
 * be configured are {@linkplain LockManager#unlocked() unlocked}, and so are the leases of methods with
 * {@link io.dynamolock.spring.DistributedLock @DistributedLock}, whatever their manager. No request is sent, and one
 * warning is logged. {@code LockManager} beans of the application are left as they are. A context whose parent locks is
 * rejected.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnLocking(false)
@Import({
    CircuitSwitchPostProcessor.class,
    DynamolockDisabledAutoConfiguration.NamedManagers.class,
    PropertiesConfiguration.class
})
public final class DynamolockDisabledAutoConfiguration {

    /** Creates the configuration. Called by Spring. */
    DynamolockDisabledAutoConfiguration() {}

    /**
     * The manager of all locks.
     *
     * @param manager grants every request
     */
    record Unlocked(LockManager manager) {}

    /** The advisor needs it before all post-processors of beans exist. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Unlocked dynamolockUnlocked(Environment environment) {
        ProcessedProperties.requireUnchanged(!OnLocking.locks(environment), OnLocking.KEY, "false");
        return new Unlocked(LockManager.unlocked());
    }

    @Bean(ManagerProperties.DEFAULT_MANAGER)
    @Primary
    @ConditionalOnMissingBean
    static LockManager dynamolockManager(Unlocked unlocked) {
        return unlocked.manager();
    }

    @Bean
    static BeanFactoryPostProcessor dynamolockParentWithoutLocks() {
        return beans -> requireNoLocks(beans.getParentBeanFactory());
    }

    /** Rejects a parent that locks: its manager would be injected here, while the annotated methods run without locks. */
    private static void requireNoLocks(@Nullable BeanFactory parent) {
        if (parent instanceof ListableBeanFactory beans
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, NamedManagerFactory.class, true, false)
                                .length
                        > 0) {
            throw OnLocking.differsFromParent(
                    false, "whose lock managers would still lock when they are injected here");
        }
    }

    /** Registers the managers below {@code dynamolock.managers} by their names. */
    static final class NamedManagers implements BeanRegistrar {

        @Override
        public void register(BeanRegistry registry, Environment environment) {
            for (String name : ManagerNames.in(environment)) {
                registry.registerBean(
                        name,
                        LockManager.class,
                        manager -> manager.fallback()
                                .supplier(beans -> beans.bean(Unlocked.class).manager()));
            }
        }
    }
}
