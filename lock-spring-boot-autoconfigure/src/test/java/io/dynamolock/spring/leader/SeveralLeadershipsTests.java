/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with several leaderships, or with several contexts under one. */
class SeveralLeadershipsTests {

    private final ApplicationContextRunner without = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockLeaderAutoConfiguration.class, DynamolockMetricsAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class);
    private final ApplicationContextRunner several = without.withBean("one", Leadership.class, () -> new Fixed(true))
            .withBean("two", Leadership.class, () -> new Fixed(false));

    @Test
    void applicationThatInjectsThemByNameStartsWithoutMetersOfTheLeader() {
        several.run(context -> {
            assertThat(context).hasNotFailed();
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.find("dynamolock.leader").meters()).isEmpty();
            assertThat(meters.find("dynamolock.held").meters()).isNotEmpty();
        });
    }

    @Test
    void methodThatCouldAskAnyOfThemFailsTheStartup() {
        several.withBean(Job.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@OnlyOnLeader on " + Job.class.getName() + ".run")
                        .hasMessageContaining(
                                "there are several Leadership beans: one, two. Mark one of them as @Primary"));
    }

    @Test
    void methodFailsTheStartupIfTheOnlyOneNeedsAQualifier() {
        without.withBean("one", Leadership.class, () -> new Fixed(true), bean -> bean.setAutowireCandidate(false))
                .withBean(Job.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@OnlyOnLeader on " + Job.class.getName() + ".run")
                        .hasMessageContaining(
                                "no Leadership bean is injected without a qualifier, only with one: one"));
    }

    /** As each injection into a parameter of that name does. */
    @Test
    void methodAsksTheOneNamedLeadershipIfNoneIsPrimary() {
        several.withBean("leadership", Leadership.class, () -> new Fixed(true))
                .withBean(Job.class)
                .run(context -> {
                    context.getBean(Job.class).run();

                    assertThat(context.getBean(Job.class).runs()).isOne();
                });
    }

    /** The startup creates none of them. */
    @Test
    void callFailsIfThoseItCouldAskAreLazy() {
        without.withBean("one", Leadership.class, () -> new Fixed(true), bean -> bean.setLazyInit(true))
                .withBean("two", Leadership.class, () -> new Fixed(true), bean -> bean.setLazyInit(true))
                .withBean(Job.class)
                .run(context -> assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
                        .isThrownBy(() -> context.getBean(Job.class).run()));
    }

    @Test
    void methodAsksThePrimaryOne() {
        several.withBean("main", Leadership.class, () -> new Fixed(true), bean -> bean.setPrimary(true))
                .withBean(Job.class)
                .run(context -> {
                    context.getBean(Job.class).run();

                    assertThat(context.getBean(Job.class).runs()).isOne();
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("dynamolock.leader")
                                    .gauge()
                                    .value())
                            .isOne();
                });
    }

    @Test
    void callsSkippedInChildContextCountInTheMeterOfItsParent() {
        without.withBean(Leadership.class, () -> new Fixed(false))
                .withBean(Job.class)
                .run(parent -> without.withParent(parent)
                        .withBean("childJob", Job.class)
                        .run(child -> {
                            parent.getBean(Job.class).run();
                            child.getBean("childJob", Job.class).run();

                            assertThat(parent.getBean(MeterRegistry.class)
                                            .get("dynamolock.leader.skipped")
                                            .functionCounter()
                                            .count())
                                    .isEqualTo(2);
                        }));
    }

    record Fixed(boolean isLeader) implements Leadership {

        @Override
        public Optional<Lease> lease() {
            return Optional.empty();
        }

        @Override
        public String name() {
            return "reporter";
        }
    }

    static class Job {

        private int runs;

        @OnlyOnLeader
        public void run() {
            runs++;
        }

        int runs() {
            return runs;
        }
    }
}
