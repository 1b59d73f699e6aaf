/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.OnLost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.json.BasicJsonTester;
import org.springframework.boot.test.json.JsonContent;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.ClassUtils;

/** Each property in the metadata can be set by its environment variable, and the values of each enum have hints. */
class EnvironmentVariableTests {

    private static final JsonContent<Object> METADATA =
            new BasicJsonTester(EnvironmentVariableTests.class).from("/META-INF/spring-configuration-metadata.json");

    record Property(String key, Class<?> type) {}

    static List<Property> properties() {
        List<Property> properties = new ArrayList<>();
        assertThat(METADATA)
                .extractingJsonPathArrayValue("$.properties[?(@.name =~ /dynamolock\\..*/)]")
                .allSatisfy(each -> {
                    Map<?, ?> property = (Map<?, ?>) each;
                    String key = String.valueOf(property.get("name"));
                    if (!key.equals("dynamolock.managers")) {
                        properties.add(new Property(key, type(String.valueOf(property.get("type")))));
                    }
                });
        return properties;
    }

    /** Returns the type of one value by its name in the metadata, which has a dollar sign for nested types. */
    private static Class<?> type(String name) {
        String element = name.replaceAll("java.util.Set<(.*)>", "$1");
        return ClassUtils.resolveClassName(element, EnvironmentVariableTests.class.getClassLoader());
    }

    @ParameterizedTest
    @MethodSource("properties")
    void setsTheProperty(Property property) {
        String value = otherThanTheDefault(property);
        DynamolockProperties byKey = bind(new MapPropertySource("keys", Map.of(property.key(), value)));
        String variable = property.key().replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);

        DynamolockProperties byVariable =
                bind(new SystemEnvironmentPropertySource("systemEnvironment", Map.of(variable, value)));

        assertThat(byVariable).isEqualTo(byKey).isNotEqualTo(bind(new MapPropertySource("none", Map.of())));
    }

    private static DynamolockProperties bind(PropertySource<?> source) {
        return new Binder(ConfigurationPropertySources.from(source))
                .bindOrCreate("dynamolock", Bindable.of(DynamolockProperties.class));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void setsThePropertyOfOneManager(Property property) {
        if (property.key().matches("dynamolock\\.(enabled|annotation|leader|metrics)\\b.*")) {
            return;
        }
        String value = otherThanTheDefault(property);
        String variable = property.key()
                .replace("dynamolock.", "dynamolock.managers.billing.")
                .replace("-", "")
                .replace('.', '_')
                .toUpperCase(Locale.ROOT);
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, value)));
        ConfigurationPropertySources.attach(environment);

        DynamolockProperties byVariable =
                Binder.get(environment).bindOrCreate("dynamolock", Bindable.of(DynamolockProperties.class));

        assertThat(ManagerNames.in(environment)).containsExactly("billing");
        assertThat(new NamedManagers(byVariable, environment).of("billing").values())
                .isEqualTo(bind(new MapPropertySource("keys", Map.of(property.key(), value))));
    }

    /** Returns a value that is compatible with the defaults of the other properties. */
    private static String otherThanTheDefault(Property property) {
        Class<?> type = property.type();
        if (type.isEnum()) {
            return type.getEnumConstants()[type.getEnumConstants().length - 1].toString();
        }
        return switch (property.key()) {
            case "dynamolock.enabled", "dynamolock.annotation.hold-until-transaction-completes" -> "false";
            case "dynamolock.wait.poll-min" -> "500ms";
            case "dynamolock.token-key" -> "0123456789abcdef0123456789abcdef";
            case "dynamolock.lease.max-duration", "dynamolock.lease.duration" -> "40s";
            default ->
                switch (type.getSimpleName()) {
                    case "Boolean" -> "true";
                    case "Integer", "Long" -> "7";
                    case "Double" -> property.key().endsWith("jitter") ? "0.5" : "1.5";
                    case "Duration" -> "3s";
                    case "URI" -> "http://localhost:1";
                    default -> "text";
                };
        };
    }

    @Test
    void eachValueOfAnEnumHasAHint() {
        List<Property> enums = properties().stream()
                .filter(property -> property.type().isEnum())
                .toList();
        assertThat(enums).hasSize(7).allSatisfy(property -> {
            TreeSet<String> constants = new TreeSet<>();
            for (Object constant : property.type().getEnumConstants()) {
                constants.add(constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'));
            }
            constants.remove("fallback"); // only valid for a single method
            if (property.type() == OnLost.class) {
                constants.remove("default"); // stands for this property
            }
            assertThat(METADATA)
                    .extractingJsonPathArrayValue("$.hints[?(@.name == '" + property.key() + "')].values[*].value")
                    .containsExactlyInAnyOrderElementsOf(constants);
            assertThat(METADATA)
                    .extractingJsonPathArrayValue(
                            "$.hints[?(@.name == '" + property.key() + "')].values[*].description")
                    .hasSameSizeAs(constants);
        });
    }
}
