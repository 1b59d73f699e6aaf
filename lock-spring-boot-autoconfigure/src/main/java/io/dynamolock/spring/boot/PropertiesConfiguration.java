/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Binds {@link DynamolockProperties}. Unknown properties stop the start. Masks the secrets among them, which the
 * actuator would show otherwise, whether or not they are used.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DynamolockProperties.class)
@Import(SecretsConfiguration.class)
class PropertiesConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static EmptyPropertiesAdvisor dynamolockEmptyPropertiesAdvisor() {
        return new EmptyPropertiesAdvisor();
    }
}
