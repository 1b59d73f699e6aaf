/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.health.LockHealthRegistry;
import io.dynamolock.spring.metrics.LockMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** With {@code dynamolock.enabled=false}, every use that the documents show runs without locks. */
@ExtendWith(LogCapture.class)
class DisabledTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts =
            TestClients.contexts(http).withBean(Work.class).withPropertyValues("dynamolock.enabled=false");

    @Test
    void sendsNothingAndLogsOneWarning(CapturedOutput output) {
        contexts.run(context -> {
            context.getBean(Work.class).assertsLock();
            assertThat(output.getOut().lines().filter(line -> line.contains("Locking is off")))
                    .singleElement()
                    .asString()
                    .startsWith("WARN");
        });
        assertThat(http.attempts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "FALSE", "off", "no", "0"})
    void isWhateverSpringBootConvertsToFalse(String off) {
        contexts.withPropertyValues("dynamolock.enabled=" + off)
                .run(context ->
                        assertThat(context.getBean(Work.class).assertsLock()).isZero());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "Yes", "1", "", "${NOWHERE:}"})
    void isNotWhatSpringBootConvertsToTrueAndNoValue(String on) {
        Locking.inMemory().withPropertyValues("dynamolock.enabled=" + on).run(DisabledTests::locks);
    }

    @Test
    void isNotAnEmptyVariable() {
        Locking.inMemory()
                .withInitializer(
                        context -> NamedManagersTests.setEnvironment(context, Map.of("DYNAMOLOCK_ENABLED", "")))
                .run(DisabledTests::locks);
    }

    private static void locks(AssertableApplicationContext context) throws InterruptedException {
        try (Lease lease = context.getBean(LockManager.class).acquire("job")) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void isNeitherTrueNorFalse() {
        contexts.withPropertyValues("dynamolock.enabled=ja")
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessage("dynamolock.enabled must be true or false (or on, off, yes, no, 1, 0), but is 'ja'."
                                + " Correct dynamolock.enabled, or remove it to use its default."));
    }

    @Test
    void doesNotApplyBelowAContextThatLocks() {
        Locking.inMemory()
                .run(
                        parent -> contexts.withParent(parent)
                                .run(
                                        child -> assertThat(StartFailure.of(child, InvalidLockPropertyException.class))
                                                .hasMessage(
                                                        "dynamolock.enabled is false here, but true in the parent context, whose lock"
                                                                + " managers would still lock when they are injected here. Set the same value in both.")));
    }

    @Test
    void appliesBelowAContextWithoutLocks() {
        contexts.run(parent -> contexts.withParent(parent)
                .run(child ->
                        assertThat(child.getBean(Work.class).assertsLock()).isZero()));
    }

    @Test
    void undefinedPlaceholderFailsWithTheKey() {
        contexts.withPropertyValues("dynamolock.enabled=${nowhere}")
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessageStartingWith("dynamolock.enabled contains the placeholder ${nowhere}"));
    }

    @Test
    void methodsHaveAnUnlockedLease() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.assertsLock()).isZero();
            assertThat(work.parameter(null)).isEqualTo(LeaseState.UNLOCKED);
            assertThat(work.nested(work)).isZero();
            assertThat(work.future().get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isZero();
            assertThat(work.mono().block(Locking.TIMEOUT)).isEqualTo("ran");
        });
    }

    @Test
    void workIsDoneToItsEndWhileManagerDrains() {
        contexts.withBean(Step.class).withBean(Steps.class).run(context -> {
            context.getBean(Steps.class).run();

            assertThat(context.getBean(Step.class).runs()).isEqualTo(1);
        });
    }

    /** Work with a step under the same lock, which runs after the manager has begun to drain. */
    static class Steps {

        private final Step step;
        private final LockManager locks;

        Steps(Step step, LockManager locks) {
            this.step = step;
            this.locks = locks;
        }

        @DistributedLock("steps")
        public void run() {
            locks.startDraining();
            step.run();
        }
    }

    static class Step {

        private final AtomicInteger runs = new AtomicInteger();

        @DistributedLock("steps")
        public void run() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    @Test
    void methodsNeedNoneOfTheManagersThatTheyName() {
        contexts.run(
                context -> assertThat(context.getBean(Work.class).elsewhere()).isZero());
    }

    @Test
    void injectedManagerGrantsEveryRequest() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            try (Lease one = locks.acquire("job");
                    Lease other = locks.acquire("job")) {
                assertThat(one.isHeld()).isTrue();
                assertThat(other.fencingToken()).isZero();
            }
        });
    }

    @Test
    void managerOfTheApplicationStays() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        contexts.withBean("own", LockManager.class, () -> own).run(context -> {
            assertThat(context.getBean(LockManager.class)).isSameAs(own);
            assertThat(context.getBean(Work.class).assertsLock()).isZero();
        });
    }

    @Test
    void metersCanListenToManagerOfTheApplication() {
        contexts.withBean(SimpleMeterRegistry.class)
                .withUserConfiguration(OwnWithMeters.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(LockManager.class)
                                    .tryAcquire("own")
                                    .map(Lease::release))
                            .isPresent();
                    assertThat(context.getBean(SimpleMeterRegistry.class)
                                    .get("dynamolock.acquire")
                                    .tag("outcome", "acquired")
                                    .timer()
                                    .count())
                            .isOne();
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {DynamolockHealthAutoConfiguration.class, DynamolockEndpointAutoConfiguration.class})
    void healthCanListenToManagerOfTheApplication(Class<?> uses) {
        contexts.withConfiguration(AutoConfigurations.of(uses, EndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=distributedlocks")
                .withUserConfiguration(OwnWithHealth.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(HealthContributor.class)
                        .doesNotHaveBean(DistributedLocksEndpoint.class));
    }

    @Test
    void startLogsNoOtherWarning(CapturedOutput output) {
        start(Started.class);

        assertThat(output.getOut()).contains("Locking is off");
        assertThat(output.getOut().lines().filter(line -> line.contains("BeanPostProcessorChecker")))
                .noneMatch(line -> line.contains("dynamolock"));
    }

    @Test
    void missingBeanIsExplainedByTheProperty(CapturedOutput output) {
        assertThatThrownBy(() -> start(NeedsStore.class)).isInstanceOf(UnsatisfiedDependencyException.class);

        assertThat(output.getOut())
                .contains("APPLICATION FAILED TO START")
                .contains("io.dynamolock.LockStore", "while dynamolock.enabled = false")
                .contains("ObjectProvider<LockStore>", "remove dynamolock.enabled");
    }

    @Test
    void severalBeansAreNotReportedAsMissing(CapturedOutput output) {
        assertThatThrownBy(() -> start(NeedsOneOfTwoStores.class)).isInstanceOf(UnsatisfiedDependencyException.class);

        assertThat(output.getOut())
                .contains("required a single bean, but 2 were found")
                .doesNotContain("There is no bean of type");
    }

    @Test
    void otherMissingBeansAreExplainedBySpringBoot(CapturedOutput output) {
        assertThatThrownBy(() -> start(NeedsOther.class)).isInstanceOf(UnsatisfiedDependencyException.class);

        assertThat(output.getOut()).contains("APPLICATION FAILED TO START").doesNotContain("dynamolock.enabled");
    }

    private static void start(Class<?> application) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication starting = new SpringApplication(application);
        starting.setWebApplicationType(WebApplicationType.NONE);
        starting.setRegisterShutdownHook(false);
        starting.run("--dynamolock.enabled=false", "--dynamolock.managers.billing.lease.duration=10s")
                .close();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnWithMeters {

        @Bean
        LockManager own(LockMetrics meters) {
            return LockManager.builder(new InMemoryLockStore())
                    .listener(meters.listener("own"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnWithHealth {

        @Bean
        LockManager own(LockHealthRegistry health) {
            return LockManager.builder(new InMemoryLockStore())
                    .listener(health.of("own"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        TaskExecutionAutoConfiguration.class,
        DynamolockAutoConfiguration.class,
        DynamolockDisabledAutoConfiguration.class,
        DistributedLockAutoConfiguration.class,
        DynamolockMetricsAutoConfiguration.class
    })
    @Import(Work.class)
    static class Started {

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Started.class)
    static class NeedsStore {

        @Bean
        String user(LockStore store) {
            return store.describe();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(NeedsStore.class)
    static class NeedsOneOfTwoStores {

        @Bean
        LockStore one() {
            return new InMemoryLockStore();
        }

        @Bean
        LockStore two() {
            return new InMemoryLockStore();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Started.class)
    static class NeedsOther {

        @Bean
        String user(DynamoDbClient client) {
            return client.serviceName();
        }
    }

    static class Work {

        @DistributedLock("job")
        public long assertsLock() {
            Locks.assertHeld();
            return Locks.current().orElseThrow().fencingToken();
        }

        @DistributedLock("job")
        public LeaseState parameter(@Nullable Lease lease) {
            return Objects.requireNonNull(lease).state();
        }

        @DistributedLock("outer")
        public long nested(Work proxy) {
            return proxy.assertsLock();
        }

        @DistributedLock("job")
        public CompletableFuture<Long> future() {
            return CompletableFuture.completedFuture(
                    Locks.current().orElseThrow().fencingToken());
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            return Mono.just("ran");
        }

        @DistributedLock(name = "job", manager = "elsewhere")
        public long elsewhere() {
            return Locks.current().orElseThrow().fencingToken();
        }
    }
}
