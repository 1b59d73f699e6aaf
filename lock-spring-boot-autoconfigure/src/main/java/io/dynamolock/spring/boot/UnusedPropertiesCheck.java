/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Logs a warning if properties of the default lock manager are set, but a bean of the application replaces what they
 * configure. Says nothing if named managers inherit them.
 *
 * @param replaced the type of that bean
 * @param remedy what to do instead
 * @param unused whether a property, given its key below {@code dynamolock}, does not apply
 * @param environment has the properties
 */
record UnusedPropertiesCheck(String replaced, String remedy, Predicate<String> unused, Environment environment)
        implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(UnusedPropertiesCheck.class);

    static UnusedPropertiesCheck ofManager(DynamolockProperties properties, Environment environment) {
        return new UnusedPropertiesCheck(
                "LockManager",
                "Configure that bean, or replace only its parts, such as LockStore, or add settings by a LockManagerCustomizer",
                key -> properties.managers().isEmpty(),
                environment);
    }

    static UnusedPropertiesCheck ofStore(
            DynamolockProperties properties, ListableBeanFactory beans, Environment environment) {
        return new UnusedPropertiesCheck(
                "LockStore",
                "Configure that bean, or remove it to have the store of the properties",
                key -> isUnusedByStore(key, properties, beans),
                environment);
    }

    /** Only the manager has the other properties, including timeouts below {@code client}. */
    private static boolean isUnusedByStore(String key, DynamolockProperties properties, ListableBeanFactory beans) {
        boolean memory = properties.store() == Store.MEMORY;
        Class<?> wanted = memory ? InMemoryLockStore.class : DynamoDbLockStore.class;
        boolean asWanted = beans.getBeanNamesForType(wanted, true, false).length > 0;
        boolean inherited = properties.managers().keySet().stream()
                .anyMatch(manager -> !beans.containsBean(NamedManagerFactory.storeOf(manager)));
        if (inherited || (memory && asWanted)) {
            return false;
        }
        return key.equals("store")
                ? !asWanted
                : key.startsWith("table.")
                        || properties.client().connectionKeys().contains(key);
    }

    @Override
    public void afterSingletonsInstantiated() {
        String ignored = KnownKeys.keys(ManagerOverrides.class, PropertyKeys.PREFIX)
                .filter(key -> unused.test(key.substring(PropertyKeys.PREFIX.length() + 1)) && isSet(key))
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            LOG.warn(
                    "A {} bean of the application replaces the default one, so these properties do not apply to its locks: {}. {}",
                    replaced,
                    ignored,
                    remedy);
        }
    }

    /** An empty text stands for the default. */
    private boolean isSet(String key) {
        return !Binder.get(environment)
                .bind(key, Bindable.listOf(String.class))
                .orElse(List.of())
                .isEmpty();
    }
}
