/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Accepts known properties with an empty value, such as {@code ${VARIABLE:}}: they have their default. Rejects a value
 * of a group of properties, which Spring Boot ignores if another source sets a property of the group, and placeholders
 * that are not defined, which it takes literally.
 */
final class EmptyPropertiesAdvisor implements ConfigurationPropertiesBindHandlerAdvisor {

    /** Not the environment: others name their variables as they like, as Kubernetes does for a service. */
    private static final UnboundElementsSourceFilter KNOWN_BY_THE_APPLICATION = new UnboundElementsSourceFilter();

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([\\w.-]+)(:[^${}]*)?}");

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public <T> @Nullable Bindable<T> onStart(
                    ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                Class<?> type = target.getType().resolve(Object.class);
                if (type.isRecord() && (name.equals(KnownKeys.PREFIX) || KnownKeys.PREFIX.isAncestorOf(name))) {
                    Supplier<String> key = () ->
                            KnownKeys.keys(type, name.toString()).findFirst().orElseThrow();
                    context.getSources().forEach(source -> requireNone(source.getConfigurationProperty(name), key));
                } else if (!isCollective(type) && KnownKeys.PREFIX.isAncestorOf(name)) {
                    context.getSources().forEach(source -> requireSingle(source, name));
                }
                return super.onStart(name, target, context);
            }

            @Override
            public @Nullable Object onSuccess(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
                // An address has encoded braces
                Object decoded = result instanceof URI address ? address.getSchemeSpecificPart() : result;
                if (decoded instanceof String text && KnownKeys.PREFIX.isAncestorOf(name)) {
                    requireResolved(name, text, context.getConfigurationProperty());
                }
                return super.onSuccess(name, target, context, result);
            }

            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                ConfigurationProperty source = context.getConfigurationProperty();
                if (source != null && source.getName().equals(name) && KnownKeys.PREFIX.isAncestorOf(name)) {
                    requireResolved(name, unconverted(error), source);
                }
                return ManagerNames.isEmptyGroup(context) ? null : super.onFailure(name, target, context, error);
            }

            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                try {
                    super.onFinish(name, target, context, result);
                } catch (UnboundConfigurationPropertiesException unbound) {
                    Set<ConfigurationProperty> unknown = new LinkedHashSet<>(unbound.getUnboundProperties());
                    unknown.removeIf(property -> KnownKeys.contains(property.getName()));
                    if (!unknown.isEmpty()) {
                        throw new UnboundConfigurationPropertiesException(unknown);
                    }
                }
            }
        };
    }

    private static boolean isCollective(Class<?> type) {
        return type.isArray() || Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type);
    }

    /** Rejects a list or a map instead of a value: Spring Boot ignores it if another source has the value. */
    private static void requireSingle(ConfigurationPropertySource source, ConfigurationPropertyName key) {
        if (KNOWN_BY_THE_APPLICATION.apply(source)
                && source.containsDescendantOf(key) == ConfigurationPropertyState.PRESENT
                && source instanceof IterableConfigurationPropertySource named) {
            named.stream().filter(key::isAncestorOf).findFirst().ifPresent(part -> {
                ConfigurationProperty property = source.getConfigurationProperty(part);
                throw new InvalidLockPropertyException(
                        "%s has a single value, but %s is set%s"
                                .formatted(key, part, property == null ? "" : KnownKeys.origin(property)),
                        "Write %s without an index or a key.".formatted(key),
                        null);
            });
        }
    }

    /** Returns the text that cannot be converted, with the values of placeholders; empty if there is none. */
    private static String unconverted(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConversionFailedException failure) {
                return String.valueOf(failure.getValue());
            }
        }
        return "";
    }

    /** Rejects a placeholder that Spring Boot leaves in the text: a secret or a prefix would be that of every reader. */
    private static void requireResolved(
            ConfigurationPropertyName name, String text, @Nullable ConfigurationProperty source) {
        Matcher placeholder = PLACEHOLDER.matcher(text);
        boolean escaped = source != null && source.getValue().toString().contains("\\${");
        if (!escaped && placeholder.find()) {
            throw new InvalidLockPropertyException(
                    "%s contains the placeholder %s, which is not defined".formatted(name, placeholder.group()),
                    "Define %s, or give it a default value: ${%s:...}."
                            .formatted(placeholder.group(1), placeholder.group(1)),
                    null);
        }
    }

    /**
     * Rejects a value of a group.
     *
     * @param group the property of the group itself; null if it is not set
     * @param key a property of the group
     */
    static void requireNone(@Nullable ConfigurationProperty group, Supplier<String> key) {
        if (group != null && !group.getValue().toString().isEmpty()) {
            throw new InvalidLockPropertyException(
                    "%s is a group of properties, which has no value itself, but is set%s"
                            .formatted(group.getName(), KnownKeys.origin(group)),
                    "Write %s, or another property of the group.".formatted(key.get()),
                    null);
        }
    }
}
