/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The least that a starter for locks does at startup: it binds two properties, has an advisor, and describes the table. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FloorStarter.Properties.class)
@Import(FloorStarter.ProxyCreator.class)
class FloorStarter {

    @Retention(RetentionPolicy.RUNTIME)
    @interface Locked {}

    @ConfigurationProperties("floor")
    record Properties(
            @DefaultValue(StartUp.TABLE) String table,
            @DefaultValue("30s") Duration lease) {}

    record Manager(DynamoDbClient client, Properties properties) {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor floorAdvisor() {
        MethodInterceptor unlocked = call -> call.proceed();
        return new DefaultPointcutAdvisor(AnnotationMatchingPointcut.forMethodAnnotation(Locked.class), unlocked);
    }

    @Bean
    Manager floorManager(DynamoDbClient client, Properties properties) {
        client.describeTable(request -> request.tableName(properties.table()));
        return new Manager(client, properties);
    }

    static final class ProxyCreator implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
