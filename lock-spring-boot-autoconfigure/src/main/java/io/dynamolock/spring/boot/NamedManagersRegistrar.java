/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a lock manager for each name in {@code dynamolock.managers}, as a fallback: injection without a qualifier
 * ignores it if there is another one.
 */
final class NamedManagersRegistrar implements BeanRegistrar {

    private static final Logger LOG = LoggerFactory.getLogger(NamedManagersRegistrar.class);

    /** Creates the registrar. Called by Spring. */
    NamedManagersRegistrar() {}

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        for (String name : ManagerNames.in(environment)) {
            registry.registerBean(
                    name,
                    LockManager.class,
                    manager -> manager.fallback()
                            .supplier(beans ->
                                    beans.bean(NamedManagerFactory.class).create(name)));
        }
    }

    /**
     * Removes the managers that a parent context has, as a registrar does not see it. Like the default manager, each
     * exists once, unless this context has a store or a client for it: two in memory would not exclude each other.
     *
     * @throws InvalidLockPropertyException if the parent does not lock: annotated methods here would not lock either
     */
    static void removeInherited(ConfigurableListableBeanFactory beans, Environment environment) {
        BeanFactory parent = beans.getParentBeanFactory();
        if (parent == null || !(beans instanceof BeanDefinitionRegistry registry)) {
            return;
        }
        requireLocks(parent);
        warnOfUnusedStores(beans, ManagerNames.in(environment));
        for (String name : ManagerNames.in(environment)) {
            if (isRegisteredHere(registry, name)
                    && !beans.containsLocalBean(NamedManagerFactory.storeOf(name))
                    && !beans.containsLocalBean(NamedManagerFactory.clientOf(name))
                    && parent.containsBean(name)
                    && parent.isTypeMatch(name, LockManager.class)) {
                registry.removeBeanDefinition(name);
            }
        }
    }

    private static void requireLocks(BeanFactory parent) {
        if (parent.getBeanProvider(DynamolockDisabledAutoConfiguration.Unlocked.class).stream()
                .findAny()
                .isPresent()) {
            throw OnLocking.differsFromParent(true, "which turns off locked methods here as well");
        }
    }

    /** Without a default manager of its own, this context has that of its parent, whatever store it defines. */
    private static void warnOfUnusedStores(ListableBeanFactory beans, Collection<String> managers) {
        List<String> own = namesOf(LockManager.class, beans);
        own.removeAll(managers);
        if (own.isEmpty()) {
            List<String> unused = namesOf(LockStore.class, beans);
            unused.removeAll(managers.stream().map(NamedManagerFactory::storeOf).toList());
            unused.forEach(store -> LOG.warn(
                    "The LockStore bean '{}' is not that of the default lock manager, which is the one of the parent context."
                            + " Define a LockManager bean on the store to lock with it",
                    store));
        }
    }

    private static List<String> namesOf(Class<?> type, ListableBeanFactory beans) {
        return new ArrayList<>(List.of(beans.getBeanNamesForType(type, true, false)));
    }

    /** The application may have replaced the definition since. */
    private static boolean isRegisteredHere(BeanDefinitionRegistry registry, String name) {
        return registry.containsBeanDefinition(name)
                && registry.getBeanDefinition(name).getSource() == NamedManagersRegistrar.class;
    }

    /**
     * Rejects managers that have the name of another bean, before they are registered. Spring would replace that bean if
     * {@code spring.main.allow-bean-definition-overriding} is true.
     *
     * @param environment contains the names
     */
    record NameCheck(Environment environment) implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            for (String name : ManagerNames.in(environment)) {
                if (registry.containsBeanDefinition(name)) {
                    throw ManagerNames.taken(name);
                }
            }
        }
    }
}
