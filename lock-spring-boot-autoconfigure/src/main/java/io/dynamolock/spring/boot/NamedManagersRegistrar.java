/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Registers manager, store and client for each name in {@code dynamolock.managers}. They are injected only if qualified
 * by name. A manager, store or client that the application defines with such a name is used instead.
 */
final class NamedManagersRegistrar implements ImportBeanDefinitionRegistrar {

    private static final String CLIENT = "software.amazon.awssdk.services.dynamodb.DynamoDbClient";

    private final NamedManagers named;
    private final BeanFactory beans;
    private final ClassLoader classes;

    /** Creates the registrar. Called by Spring. */
    NamedManagersRegistrar(Environment environment, BeanFactory beans, ClassLoader classes) {
        this.named = new NamedManagers(environment);
        this.beans = beans;
        this.classes = classes;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        named.names().forEach(name -> register(name, registry));
    }

    private void register(String name, BeanDefinitionRegistry registry) {
        if (isThere(name, name, ResolvableType.forClass(LockManager.class), registry)) {
            return;
        }
        String store = ManagerProperties.storeBean(name);
        if (!isThere(name, store, ResolvableType.forClass(LockStore.class), registry)) {
            registerStore(name, store, registry);
        }
        AbstractBeanDefinition manager = definition(NamedManagersConfiguration.MANAGERS, "manager", name);
        manager.setDependsOn(store);
        registry.registerBeanDefinition(name, manager);
    }

    private void registerStore(String name, String store, BeanDefinitionRegistry registry) {
        ManagerProperties properties = named.of(name);
        if (properties.values().store() == Store.MEMORY) {
            registry.registerBeanDefinition(store, definition(NamedManagersConfiguration.IN_MEMORY, "store", name));
            return;
        }
        Class<?> clientType =
                ClassUtils.isPresent(CLIENT, classes) ? ClassUtils.resolveClassName(CLIENT, classes) : null;
        if (clientType == null) {
            throw properties
                    .keys()
                    .refusal(
                            "store",
                            "{store} = dynamodb, but the AWS SDK is not on the class path",
                            "Add software.amazon.awssdk:dynamodb-enhanced, or set {store} = memory.",
                            null);
        }
        String client = ManagerProperties.clientBean(name);
        if (!isThere(name, client, ResolvableType.forClass(clientType), registry)) {
            AbstractBeanDefinition own = definition(NamedManagersConfiguration.IN_DYNAMODB, "client", name);
            own.setLazyInit(true);
            registry.registerBeanDefinition(client, own);
        }
        registry.registerBeanDefinition(store, definition(NamedManagersConfiguration.IN_DYNAMODB, "store", name));
    }

    private boolean isThere(String name, String bean, ResolvableType type, BeanDefinitionRegistry registry) {
        boolean taken = registry.isBeanNameInUse(bean);
        if (bean.equals(ManagerProperties.DEFAULT_MANAGER) || (taken && !beans.isTypeMatch(bean, type))) {
            String key = ManagerNames.prefix(name).toString();
            throw new InvalidLockPropertyException(
                    key,
                    "%s needs the bean name '%s', which another bean has".formatted(key, bean),
                    "Rename the lock manager or the bean.",
                    null);
        }
        return taken;
    }

    private static AbstractBeanDefinition definition(String factory, String method, String name) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setFactoryBeanName(factory);
        definition.setFactoryMethodName(method);
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
        definition.setDefaultCandidate(false);
        definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
        return definition;
    }
}
