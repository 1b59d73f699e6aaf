/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.dynamolock.spring.boot.LockManagerCustomizer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

/** Selection among several lock managers for the lock of a method. */
class LockManagerResolverTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
            .withPropertyValues(
                    "dynamolock.store=memory",
                    "dynamolock.managers.billing.table.name=billing-locks",
                    "dynamolock.managers.orders.table.name=order-locks")
            .withBean(RecordingListener.class);

    @Test
    void isTheOneThatTheMethodNames() {
        contexts.withBean(Jobs.class).run(context -> {
            context.getBean(Jobs.class).plain();
            context.getBean(Jobs.class).billing();
            context.getBean(Jobs.class).ofOrders();

            assertThat(context.getBean(RecordingListener.class).acquired)
                    .containsExactly("dynamolockManager plain", "billing job", "orders of-orders");
        });
    }

    @Test
    void isThatOfTheTypeUnlessTheMethodNamesAnother() {
        contexts.withBean(BillingJobs.class).run(context -> {
            context.getBean(BillingJobs.class).inherited();
            context.getBean(BillingJobs.class).named();
            context.getBean(BillingJobs.class).elsewhere();

            assertThat(context.getBean(RecordingListener.class).acquired)
                    .containsExactly("billing all", "billing named", "dynamolockManager elsewhere");
        });
    }

    @Test
    void isAnyLockManagerBean() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        contexts.withBean("own", LockManager.class, () -> own, bean -> bean.setPrimary(true))
                .withBean(OwnJobs.class)
                .run(context -> {
                    assertThat(context.getBean(OwnJobs.class).held(own)).isEqualTo("own-job");
                    assertThat(context.getBean(LockManager.class)).isSameAs(own);
                });
    }

    @Test
    void stopsTheStartIfThereIsNoSuchOne() {
        contexts.withBean(Mistaken.class).run(context -> {
            InvalidDistributedLockException failure = StartFailure.of(context, InvalidDistributedLockException.class);

            assertThat(failure.problem())
                    .contains(Mistaken.class.getName() + ".job")
                    .endsWith("there is no LockManager bean named 'biling', only billing, dynamolockManager, orders");
            assertThat(failure.remedy()).contains("dynamolock.managers.biling.table.name");
        });
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                Arguments.of(Plain.class, "lease.max-duration=1m", "must not exceed maxLeaseDuration (1m)"),
                Arguments.of(
                        Plain.class,
                        "heartbeat.interval=70s,lease.duration=10m",
                        "twice the heartbeat interval (1m10s)"),
                Arguments.of(Plain.class, "name-prefix=" + "x".repeat(2_047), "must not exceed 2,048 bytes"),
                Arguments.of(
                        Billing.class,
                        "managers.billing.lease.max-duration=1m",
                        "must not exceed maxLeaseDuration (1m)"),
                Arguments.of(
                        Billing.class,
                        "managers.billing.heartbeat.interval=70s,managers.billing.lease.duration=10m",
                        "twice the heartbeat interval (1m10s)"),
                Arguments.of(Billing.class, "heartbeat.interval=70s,lease.duration=10m", "(1m10s)"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void failsStartupIfTheMethodNeedsWhatItNeverGrants(Class<?> job, String properties, String problem) {
        contexts.withBean(job).run(context -> assertThat(context).hasNotFailed());

        contexts.withBean(job).withPropertyValues(below(properties)).run(context -> {
            InvalidDistributedLockException failure = StartFailure.of(context, InvalidDistributedLockException.class);

            assertThat(failure.problem())
                    .contains(job.getName() + ".job")
                    .contains(problem)
                    .contains(job == Billing.class ? "'billing'" : "'dynamolockManager'");
            assertThat(failure.remedy()).isNotBlank();
        });
    }

    @Test
    void itsOwnLimitsApplyNotThoseOfTheDefault() {
        contexts.withBean(Billing.class)
                .withPropertyValues(below("lease.max-duration=1m,managers.billing.lease.max-duration=10m"))
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withBean(Billing.class)
                .withPropertyValues(
                        below("heartbeat.interval=70s,lease.duration=10m,managers.billing.heartbeat.interval=5s"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void givesALeaseOfTwoIntervals() {
        contexts.withBean(Plain.class)
                .withPropertyValues(below("heartbeat.interval=1m,lease.duration=10m"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void stopsTheStartAtTheLimitsThatACustomizerSets() {
        contexts.withBean(Plain.class)
                .withBean(
                        "limiting",
                        LockManagerCustomizer.class,
                        () -> (manager, builder) -> builder.maxLeaseDuration(Duration.ofMinutes(1)))
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("must not exceed maxLeaseDuration"));
    }

    @Test
    void failsFirstCallAtItsLimitsIfMadeByThen() {
        contexts.withBean(Plain.class)
                .withPropertyValues("dynamolock.lease.max-duration=1m")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatExceptionOfType(InvalidDistributedLockException.class)
                            .isThrownBy(() -> context.getBean(Plain.class).job());
                });
    }

    @Test
    void failsStartupIfManagerIsAmbiguous() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
                .withPropertyValues("dynamolock.store=memory")
                .withBean(
                        "one",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .withBean(
                        "other",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .withBean(Plain.class)
                .run(context -> {
                    InvalidDistributedLockException failure =
                            StartFailure.of(context, InvalidDistributedLockException.class);

                    assertThat(failure.problem())
                            .contains(Plain.class.getName() + ".job")
                            .contains("one, other");
                    assertThat(failure.remedy()).contains("manager = \"one\"");
                });
    }

    private static String[] below(String properties) {
        return Stream.of(properties.split(",")).map("dynamolock."::concat).toArray(String[]::new);
    }

    static class Plain {

        @DistributedLock(name = "job", leaseDuration = "2m")
        public void job() {}
    }

    static class Billing {

        @DistributedLock(name = "job-#{#p0}", manager = "billing", leaseDuration = "2m")
        public void job(String id) {}
    }

    static class RecordingListener implements LockManagerCustomizer {

        final List<String> acquired = new CopyOnWriteArrayList<>();

        @Override
        public void customize(String manager, LockManagerBuilder builder) {
            builder.listener(new LockListener() {
                @Override
                public void onAcquired(Lease lease, Duration took, Duration waited) {
                    acquired.add(manager + " " + lease.name());
                }
            });
        }
    }

    static class Jobs {

        @DistributedLock("plain")
        public void plain() {}

        @DistributedLock(name = "job", manager = "billing")
        public void billing() {}

        @OrderLock("of-orders")
        public void ofOrders() {}
    }

    @DistributedLock(name = "all", manager = "billing")
    static class BillingJobs {

        public void inherited() {}

        @DistributedLock("named")
        public void named() {}

        @DistributedLock(name = "elsewhere", manager = "dynamolockManager")
        public void elsewhere() {}
    }

    static class OwnJobs {

        @DistributedLock("own-job")
        public String held(LockManager own) {
            return own.held().findFirst().orElseThrow().name();
        }
    }

    static class Mistaken {

        @DistributedLock(name = "job", manager = "biling")
        public void job() {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(manager = "orders")
    @interface OrderLock {

        @AliasFor(annotation = DistributedLock.class, attribute = "name")
        String value();
    }
}
