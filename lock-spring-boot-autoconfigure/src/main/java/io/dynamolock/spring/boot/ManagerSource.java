/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;

/**
 * Maps the properties of a source from {@code dynamolock.managers.<name>} to {@code dynamolock}, so that they can
 * override those of {@code dynamolock} itself.
 */
final class ManagerSource implements ConfigurationPropertySource {

    private final ConfigurationPropertySource source;
    private final ConfigurationPropertyName base;
    private final ConfigurationPropertyName manager;

    ManagerSource(
            ConfigurationPropertySource source, ConfigurationPropertyName base, ConfigurationPropertyName manager) {
        this.source = source;
        this.base = base;
        this.manager = manager;
    }

    @Override
    public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
        return base.isAncestorOf(name) ? source.getConfigurationProperty(moved(name)) : null;
    }

    @Override
    public ConfigurationPropertyState containsDescendantOf(ConfigurationPropertyName name) {
        return base.equals(name) || base.isAncestorOf(name)
                ? source.containsDescendantOf(moved(name))
                : ConfigurationPropertyState.ABSENT;
    }

    private ConfigurationPropertyName moved(ConfigurationPropertyName name) {
        return manager.append(name.subName(base.getNumberOfElements()));
    }
}
