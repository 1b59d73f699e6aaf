/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Properties that one lock manager may override. */
class ManagerOverridesTests {

    /** Properties that are the same for all managers. */
    private static final Set<String> SHARED = Set.of("enabled", "annotation", "leader", "metrics", "managers");

    @Test
    void areThePropertiesWithoutDefaults() {
        Map<String, Parameter> expected = components(DynamolockProperties.class);
        expected.keySet().removeAll(SHARED);

        assertMirrors(components(ManagerOverrides.class), expected);
    }

    private static void assertMirrors(Map<String, Parameter> overrides, Map<String, Parameter> properties) {
        assertThat(overrides.keySet()).containsExactlyElementsOf(properties.keySet());
        overrides.forEach((name, override) -> {
            Parameter property = Objects.requireNonNull(properties.get(name), name);
            assertThat(annotations(override)).as(name).isEqualTo(annotations(property));
            if (override.getType().isRecord()) {
                assertMirrors(components(override.getType()), components(property.getType()));
            } else {
                assertThat(override.getType()).as(name).isEqualTo(property.getType());
                assertThat(override.isAnnotationPresent(DefaultValue.class)).isFalse();
            }
        });
    }

    private static Map<String, Parameter> components(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors()[0].getParameters())
                .collect(Collectors.toMap(
                        Parameter::getName, component -> component, (one, other) -> one, LinkedHashMap::new));
    }

    /** Returns those that decide how a value is read, such as its unit. */
    private static Set<Annotation> annotations(Parameter component) {
        return Stream.of(component.getAnnotations())
                .filter(annotation -> annotation.annotationType() != DefaultValue.class
                        && annotation.annotationType() != Nullable.class)
                .collect(Collectors.toSet());
    }

    @Test
    void printNoSecret() {
        ManagerOverrides overrides = new Binder(new MapConfigurationPropertySource(Map.of(
                        "x.client.access-key", "AKIDEXAMPLE",
                        "x.client.secret-key", "wJalrXUtnFEMI",
                        "x.token-key", "signs-lease-tokens")))
                .bindOrCreate("x", Bindable.of(ManagerOverrides.class));

        assertThat(overrides.toString())
                .contains("accessKey=******", "secretKey=******", "tokenKey=******")
                .doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", "signs-lease-tokens");
    }
}
