/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Logs a warning if properties of the default lock manager are set, but a bean of the application replaces it, which
 * they do not configure. Says nothing if named managers inherit them.
 */
final class ReplacedManagerCheck implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ReplacedManagerCheck.class);

    private final DynamolockProperties properties;
    private final Environment environment;

    ReplacedManagerCheck(DynamolockProperties properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String ignored = KnownKeys.keys(ManagerOverrides.class, PropertyKeys.PREFIX)
                .filter(this::isSet)
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty() && properties.managers().isEmpty()) {
            LOG.warn(
                    "A LockManager bean of the application replaces the default one, so these properties do not apply to its"
                            + " locks: {}. Configure that bean, or replace only its parts, such as LockStore, or add settings"
                            + " by a LockManagerCustomizer",
                    ignored);
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
