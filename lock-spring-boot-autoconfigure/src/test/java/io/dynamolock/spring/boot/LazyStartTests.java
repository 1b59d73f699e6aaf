/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Locking;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** The start of an application with Actuator creates only the lock managers that the application itself needs then. */
class LazyStartTests {

    private static final AutoConfigurations ACTUATOR = AutoConfigurations.of(
            JmxAutoConfiguration.class,
            EndpointAutoConfiguration.class,
            JmxEndpointAutoConfiguration.class,
            HealthContributorRegistryAutoConfiguration.class,
            HealthEndpointAutoConfiguration.class,
            DynamolockMetricsAutoConfiguration.class,
            DynamolockHealthAutoConfiguration.class,
            DynamolockEndpointAutoConfiguration.class);

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(ACTUATOR)
            .withBean(SimpleMeterRegistry.class)
            .withPropertyValues(
                    "dynamolock.managers.billing.lease.duration=10s",
                    "spring.jmx.enabled=true",
                    "management.endpoints.jmx.exposure.include=*");

    @Test
    void lazyInitializationCreatesNoManagerAndSendsNothing() {
        contexts.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(exists(context, "dynamolockManager")).isFalse();
                    assertThat(exists(context, "billing")).isFalse();
                    assertThat(held(context)).isZero();
                    assertThat(exists(context, "dynamolockManager")).isFalse();
                    assertThat(http.attempts()).isEmpty();

                    LockManager locks = context.getBean("dynamolockManager", LockManager.class);
                    assertThat(locks.tryAcquire("job")).isPresent();

                    assertThat(held(context)).isOne();
                    assertThat(exists(context, "billing")).isFalse();
                });
    }

    @Test
    void firstHealthRequestCreatesLazyManager() {
        Locking.inMemory()
                .withConfiguration(ACTUATOR)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(exists(context, "dynamolockManager")).isFalse();

                    Health health = health(context);

                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(exists(context, "dynamolockManager")).isTrue();
                });
    }

    @Test
    void lazyManagerThatCannotBeCreatedIsDown() {
        Locking.inMemory()
                .withConfiguration(ACTUATOR)
                .withUserConfiguration(Broken.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
                });
    }

    @Test
    void prototypesAreNotCreated() {
        Prototype.CREATED.set(0);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
                .withConfiguration(ACTUATOR)
                .withBean(SimpleMeterRegistry.class)
                .withUserConfiguration(Prototype.class)
                .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=*")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(Prototype.CREATED).hasValue(0);
                });
    }

    private static boolean exists(AssertableApplicationContext context, String bean) {
        return context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                .getBeanFactory()
                .containsSingleton(bean);
    }

    private static double held(AssertableApplicationContext context) {
        return context.getBean(SimpleMeterRegistry.class)
                .get("dynamolock.held")
                .tag("manager", "dynamolockManager")
                .gauge()
                .value();
    }

    private static Health health(AssertableApplicationContext context) {
        HealthIndicator indicator = context.getBean("dynamolockHealthContributor", HealthIndicator.class);
        return Objects.requireNonNull(indicator.health());
    }

    @Configuration(proxyBeanMethods = false)
    static class Broken {

        @Bean
        @Lazy
        LockManager broken() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {

        static final AtomicInteger CREATED = new AtomicInteger();

        @Bean
        @Scope("prototype")
        LockManager prototype() {
            CREATED.incrementAndGet();
            return LockManager.builder(new InMemoryLockStore()).build();
        }
    }
}
