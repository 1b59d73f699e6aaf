/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.support.BeanDefinitionOverrideException;
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
}
