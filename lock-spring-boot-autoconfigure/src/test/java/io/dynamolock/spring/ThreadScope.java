/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.SimpleThreadScope;

/** Has the scope "thread". */
@Configuration(proxyBeanMethods = false)
public class ThreadScope {

    @Bean
    static CustomScopeConfigurer threads() {
        CustomScopeConfigurer scopes = new CustomScopeConfigurer();
        scopes.addScope("thread", new SimpleThreadScope());
        return scopes;
    }
}
