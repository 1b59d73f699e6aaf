/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.StartFailure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;

/**
 * Properties that decided about beans, and are changed before these are created: as if the context had been processed
 * ahead of time with the first value, and started with the second.
 */
class ProcessedPropertiesTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockDisabledAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource({
        "dynamolock.store=memory, dynamolock.store=dynamodb, dynamolock.store was memory when",
        "dynamolock.store=dynamodb, dynamolock.store=memory, dynamolock.store was dynamodb when",
        "dynamolock.enabled=true, dynamolock.enabled=false, dynamolock.enabled was true when",
        "dynamolock.enabled=false, dynamolock.enabled=true, dynamolock.enabled was false when",
        "dynamolock.enabled=true, dynamolock.leader.name=boss, dynamolock.leader.name was not set when"
    })
    void thatWereAnotherFailTheStart(String processed, String started, String problem) {
        changing(started)
                .withPropertyValues(processed)
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessageContaining(problem)
                        .hasMessageContaining("spring.aot.enabled=false"));
    }

    @ParameterizedTest
    @CsvSource({
        "dynamolock.leader.name=boss, dynamolock.leader.name=chief",
        "dynamolock.enabled=true, dynamolock.lease.duration=20s"
    })
    void thatDecideAboutNoBeansMayChange(String processed, String started) {
        changing(started)
                .withPropertyValues(processed)
                .run(context -> assertThat(context).hasNotFailed());
        changing(started)
                .withPropertyValues(processed, "dynamolock.enabled=false")
                .run(context -> assertThat(context.getBeansOfType(Leadership.class))
                        .hasSize(processed.contains("leader") ? 1 : 0));
    }

    private ApplicationContextRunner changing(String property) {
        return contexts.withInitializer(context -> context.getBeanFactory()
                .registerSingleton("change", (BeanFactoryPostProcessor)
                        beans -> TestPropertyValues.of(property).applyTo(context)));
    }
}
