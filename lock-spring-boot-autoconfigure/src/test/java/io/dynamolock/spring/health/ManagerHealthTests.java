/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.FailingRenewals;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.boot.ClosedLocks;
import io.dynamolock.spring.boot.DynamolockHealthAutoConfiguration;
import io.dynamolock.spring.boot.TestClients;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Health of locks in different situations. */
class ManagerHealthTests {

    private static final String BEAN = "dynamolockHealthContributor";

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(AutoConfigurations.of(DynamolockHealthAutoConfiguration.class));
    private final ApplicationContextRunner inMemory =
            Locking.inMemory().withConfiguration(AutoConfigurations.of(DynamolockHealthAutoConfiguration.class));

    @Test
    void isUpWithWhatThereIsToKnow() {
        contexts.run(context -> {
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();

            Awaitility.await().until(() -> health(context).getDetails().containsKey("table"));

            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry("table", context.getEnvironment().getProperty("dynamolock.table.name"))
                    .containsEntry("tableStatus", "ACTIVE")
                    .containsEntry("billing", "PAY_PER_REQUEST")
                    .containsEntry("ttl", "ENABLED")
                    .containsEntry("held", 1L)
                    .containsEntry("atRisk", 0)
                    .containsEntry("heartbeatLag", "PT0S");
            assertThat(Duration.parse((String) health.getDetails().get("clockWidth")))
                    .isPositive();
        });
    }

    @Test
    void isDownSoonIfTheTableDoesNotRespond() {
        contexts.run(context -> {
            http.always(Fault.hang());
            Instant before = Clock.systemUTC().instant();

            Health health = health(context);

            assertThat(Duration.between(before, Clock.systemUTC().instant())).isLessThan(Duration.ofSeconds(10));
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat((String) health.getDetails().get("error")).contains("no response in time");
            http.always(Fault.none());
            awaitStatus(context, Status.UP);
        });
    }

    @Test
    void isDownIfThereIsNoTable() {
        contexts.run(context -> {
            http.always(Fault.reject(400, "ResourceNotFoundException", "Requested resource not found"));

            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            http.always(Fault.none());
        });
    }

    @Test
    void isNotDownBecauseRightsAreMissing() {
        contexts.run(context -> {
            http.decide(attempt -> attempt.operation().startsWith("Describe") ? denied() : Fault.none());
            awaitStatus(context, Status.UP);
            Awaitility.await()
                    .until(
                            () -> String.valueOf(health(context).getDetails().get("description")),
                            description -> description.contains("dynamodb:DescribeTable"));

            http.always(denied());
            awaitStatus(context, Status.UNKNOWN);
            http.always(Fault.none());
        });
    }

    @Test
    void isDownWhileTheHeartbeatIsLate() {
        FailingRenewals store = new FailingRenewals();
        inMemory.withBean(LockStore.class, () -> store)
                .withPropertyValues("dynamolock.lease.duration=60s", "dynamolock.heartbeat.interval=300ms")
                .run(context -> {
                    Lease lease =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
                    awaitStatus(context, Status.DOWN);
                    Awaitility.await()
                            .untilAsserted(() ->
                                    assertThat(health(context).getDetails()).containsEntry("atRisk", 1));
                    assertThat(lease.isHeld()).isTrue();

                    store.heal();
                    awaitStatus(context, Status.UP);
                    assertThat(health(context).getDetails()).containsEntry("atRisk", 0);
                });
    }

    @Test
    void namesLocksThatNobodyCanAcquire() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            assertThat(health(context).getDetails()).doesNotContainKey("closed");
            for (int i = 0; i < 12; i++) {
                String name = "stuck-%02d".formatted(i);
                ClosedLocks.close(context, name);
                assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.tryAcquire(name));
            }

            Map<?, ?> closed = closed(context);

            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(closed.get("count")).isEqualTo(12);
            assertThat((List<?>) closed.get("locks")).hasSize(10).first().isEqualTo("stuck-00");
            assertThat(closed.get("remedy")).asString().contains("forceFree", "anyway=true");
        });
    }

    @Test
    void forgetsALockThatIsAcquiredAgain() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            for (String name : List.of("freed", "stuck")) {
                ClosedLocks.close(context, name);
                assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.tryAcquire(name));
            }

            locks.forceFree("freed");
            locks.acquire("freed").release();

            assertThat(closed(context).get("locks")).isEqualTo(List.of("stuck"));
        });
    }

    @Test
    void forgetsALockThatIsFreed() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            for (String name : List.of("freed", "stuck")) {
                ClosedLocks.close(context, name);
                assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.tryAcquire(name));
            }

            locks.forceFree("freed");

            assertThat(closed(context).get("locks")).isEqualTo(List.of("stuck"));
        });
    }

    private static Map<?, ?> closed(ApplicationContext context) {
        return (Map<?, ?>) Objects.requireNonNull(health(context).getDetails().get("closed"));
    }

    @Test
    void isOfEachManager() {
        inMemory.withPropertyValues("dynamolock.managers.billing.table.name=billing")
                .run(context -> assertThat(context.getBean(BEAN, CompositeHealthContributor.class).stream())
                        .extracting(HealthContributors.Entry::name)
                        .containsExactly("dynamolockManager", "billing"));
    }

    @Test
    void isOfAManagerOfTheApplicationWithItsStore() {
        contexts.withBean(
                        "own",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore())
                                .namePrefix("app1/")
                                .build())
                .run(context -> assertThat(health(context).getDetails())
                        .containsEntry(
                                "store",
                                context.getBean(LockManager.class)
                                        .diagnostics()
                                        .orElseThrow()
                                        .store()
                                        .describe())
                        .containsEntry("heartbeatLag", "PT0S"));
    }

    @Test
    void isThereForOtherStoresToo() {
        inMemory.run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UP));
    }

    @Test
    void isNotThereIfNotWantedOrWithoutItsModule() {
        inMemory.withPropertyValues("management.health.dynamolock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        inMemory.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BEAN));
        inMemory.withClassLoader(TestClients.without("org.springframework.boot.health."))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockManager.class)
                        .doesNotHaveBean(BEAN));
    }

    private static void awaitStatus(ApplicationContext context, Status status) {
        Awaitility.await().until(() -> health(context).getStatus().equals(status));
    }

    private static Fault denied() {
        return Fault.reject(400, "AccessDeniedException", "not authorized");
    }

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(BEAN, HealthIndicator.class).health());
    }
}
