/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.lang.reflect.Parameter;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** Keys of all properties below {@code dynamolock}. */
final class KnownKeys {

    static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(PropertyKeys.PREFIX);

    private KnownKeys() {}

    static boolean contains(ConfigurationPropertyName key) {
        return comparedWith(key).anyMatch(key::equals);
    }

    /** Lists the keys of the default manager, and those of the manager that a key may refer to. */
    static Stream<ConfigurationPropertyName> comparedWith(ConfigurationPropertyName key) {
        Stream<String> known = keys(DynamolockProperties.class, PropertyKeys.PREFIX);
        if (key.getNumberOfElements() > ManagerNames.POSITION + 1) {
            String manager = ManagerNames.key(key.getElement(ManagerNames.POSITION, Form.DASHED));
            known = Stream.concat(known, keys(ManagerOverrides.class, manager));
        }
        return known.map(ConfigurationPropertyName::of);
    }

    /** Returns the keys of the components of a record, and of records in it. */
    static Stream<String> keys(Class<?> type, String prefix) {
        return Stream.of(type.getDeclaredConstructors()[0].getParameters()).flatMap(component -> {
            String key = prefix + "." + name(component);
            return component.getType().isRecord() ? keys(component.getType(), key) : Stream.of(key);
        });
    }

    /** Returns where a property is set, in parentheses; empty if that is not known. */
    static String origin(ConfigurationProperty property) {
        return property.getOrigin() == null ? "" : " (" + property.getOrigin() + ")";
    }

    private static String name(Parameter component) {
        Name name = component.getAnnotation(Name.class);
        return name != null ? name.value() : DataObjectPropertyName.toDashedForm(component.getName());
    }
}
