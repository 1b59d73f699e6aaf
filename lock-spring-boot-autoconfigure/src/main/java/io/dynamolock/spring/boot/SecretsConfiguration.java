/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.List;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Masks credentials and keys in the actuator's endpoints, even if an application lets them show values. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(SanitizingFunction.class)
class SecretsConfiguration {

    private static final List<String> SECRETS = List.of("clientaccesskey", "clientsecretkey", "tokenkey");

    @Bean
    SanitizingFunction dynamolockSanitizingFunction() {
        return data -> isSecret(data) ? data.withSanitizedValue() : data;
    }

    /** Compares letters and digits only, because environment variables spell the keys differently. */
    private static boolean isSecret(SanitizableData data) {
        String letters = data.getLowerCaseKey().replaceAll("[^a-z0-9]", "");
        return letters.contains(PropertyKeys.PREFIX) && SECRETS.stream().anyMatch(letters::endsWith);
    }
}
