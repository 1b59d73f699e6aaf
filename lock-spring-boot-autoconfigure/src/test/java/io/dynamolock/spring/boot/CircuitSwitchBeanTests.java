/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.coordination.CircuitSwitch;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.time.Duration;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** A circuit switch as a bean: its {@code close()} is for all processes, and not the end of the bean. */
@ExtendWith(LogCapture.class)
class CircuitSwitchBeanTests {

    private final InMemoryLockStore store = new InMemoryLockStore();
    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(InMemoryLockStore.class, () -> store).withUserConfiguration(Switches.class);

    @Test
    void staysOpenForOthersWhenItsContextFailsOrCloses(CapturedOutput output) {
        try (LockManager other = LockManager.builder(store).build()) {
            CircuitSwitch paused = CircuitSwitch.of(other, "paused", Duration.ZERO);
            paused.open(Duration.ofHours(1));

            contexts.withUserConfiguration(Failing.class)
                    .run(context -> assertThat(context).hasFailed());
            assertThat(paused.isOpen()).isTrue();

            contexts.run(context ->
                    assertThat(context.getBean(CircuitSwitch.class).isOpen()).isTrue());
            assertThat(paused.isOpen()).isTrue();
            assertThat(output).doesNotContain("estroy method");
        }
    }

    @Test
    void staysOpenOnManagerOfApplicationThatDisablesLocks() {
        try (LockManager other = LockManager.builder(store).build()) {
            CircuitSwitch paused = CircuitSwitch.of(other, "paused", Duration.ZERO);
            paused.open(Duration.ofHours(1));

            contexts.withConfiguration(AutoConfigurations.of(DynamolockDisabledAutoConfiguration.class))
                    .withPropertyValues("dynamolock.enabled=false")
                    .withBean(
                            LockManager.class, () -> LockManager.builder(store).build())
                    .run(context -> assertThat(
                                    context.getBean(CircuitSwitch.class).isOpen())
                            .isTrue());

            assertThat(paused.isOpen()).isTrue();
        }
    }

    @Test
    void staysOpenIfTheManagerIsNotConfiguredByProperties() {
        try (LockManager other = LockManager.builder(store).build()) {
            CircuitSwitch paused = CircuitSwitch.of(other, "paused", Duration.ZERO);
            paused.open(Duration.ofHours(1));

            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
                    .withBean(
                            LockManager.class, () -> LockManager.builder(store).build())
                    .withUserConfiguration(Switches.class)
                    .run(context -> assertThat(
                                    context.getBean(CircuitSwitch.class).isOpen())
                            .isTrue());

            assertThat(paused.isOpen()).isTrue();
        }
    }

    @Test
    void staysOpenIfAnAdvisorNeedsIt() {
        try (LockManager other = LockManager.builder(store).build()) {
            CircuitSwitch paused = CircuitSwitch.of(other, "paused", Duration.ZERO);
            paused.open(Duration.ofHours(1));

            contexts.withUserConfiguration(Advising.class, Failing.class)
                    .run(context -> assertThat(context).hasFailed());

            assertThat(paused.isOpen()).isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Switches {

        @Bean
        CircuitSwitch paused(LockManager locks) {
            return CircuitSwitch.of(locks, "paused");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @Bean
        Object failing(CircuitSwitch paused) {
            throw new IllegalStateException("the start fails after " + paused);
        }
    }

    /** Spring creates advisors before the post-processors of beans that have no order. */
    @Configuration(proxyBeanMethods = false)
    static class Advising {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor advisor(CircuitSwitch paused) {
            return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(Deprecated.class), (MethodInterceptor)
                    call -> paused.isOpen() ? null : call.proceed());
        }
    }
}
