/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.core.env.Environment;

/**
 * Registers a lock manager for each name in {@code dynamolock.managers}, as a fallback: injection without a qualifier
 * ignores it if there is another one.
 */
final class NamedManagersRegistrar implements BeanRegistrar {

    /** Creates the registrar. Called by Spring. */
    NamedManagersRegistrar() {}

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        for (String name : ManagerNames.in(environment)) {
            try {
                registry.registerBean(
                        name,
                        LockManager.class,
                        manager -> manager.fallback()
                                .supplier(beans ->
                                        beans.bean(NamedManagerFactory.class).create(name)));
            } catch (BeanDefinitionOverrideException taken) {
                throw ManagerNames.taken(name, taken);
            }
        }
    }

    /**
     * Removes the managers that a parent context has, as a registrar does not see it. Like the default manager, each
     * exists once: two in memory would not exclude each other.
     */
    static void removeInherited(ConfigurableListableBeanFactory beans, Environment environment) {
        BeanFactory parent = beans.getParentBeanFactory();
        if (parent == null || !(beans instanceof BeanDefinitionRegistry registry)) {
            return;
        }
        for (String name : ManagerNames.in(environment)) {
            if (registry.containsBeanDefinition(name)
                    && parent.containsBean(name)
                    && parent.isTypeMatch(name, LockManager.class)) {
                registry.removeBeanDefinition(name);
            }
        }
    }
}
