/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.endpoint.LockDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/** Several lock managers on several tables are distinguishable from startup to shutdown. */
class NamedManagersShownTests {

    private final FaultyHttpClient http = TestClients.http();
    private final String billing = TestClients.newTableName();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(AutoConfigurations.of(
                    EndpointAutoConfiguration.class,
                    DynamolockEndpointAutoConfiguration.class,
                    DynamolockHealthAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=distributedlocks",
                    "dynamolock.managers.billing.table.name=" + billing);

    @Test
    void tablesAreCreatedAtStartup() {
        contexts.withPropertyValues("dynamolock.managers.billing.table.ttl-attribute=gone-by")
                .run(context -> {
                    assertThat(http.count("CreateTable")).isEqualTo(2);
                    assertThat(LocalDynamoDb.client()
                                    .describeTimeToLive(request -> request.tableName(billing))
                                    .timeToLiveDescription()
                                    .attributeName())
                            .isEqualTo("gone-by");
                });
    }

    @Test
    void metersCarryManagerNames() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        contexts.withBean(MeterRegistry.class, () -> meters).run(context -> {
            Lease lease = lease(context, "billing");
            assertThat(lease(context, "billing", "other").isHeld()).isTrue();
            lease.release();

            assertThat(acquired(meters, "billing")).isEqualTo(2);
            assertThat(meters.find("dynamolock.acquire")
                            .tags("manager", "dynamolockManager", "outcome", "acquired")
                            .timer())
                    .isNull();
            assertThat(held(meters, "billing")).isEqualTo(1);
            assertThat(held(meters, "dynamolockManager")).isZero();
            assertThat(meters.getMeters())
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getTag("manager")).isIn("billing", "dynamolockManager"));
        });
    }

    /** Registry that drops meters with other tag keys than an existing meter of the same name. */
    @Test
    void metersOfAllManagersAreExported() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        contexts.withBean(MeterRegistry.class, () -> meters).run(context -> {
            lease(context, "billing");
            lease(context, "dynamolockManager");

            assertThat(meters.scrape())
                    .contains("dynamolock_held{manager=\"billing\"} 1.0")
                    .contains("dynamolock_held{manager=\"dynamolockManager\"} 1.0")
                    .contains("dynamolock_acquire_seconds_count{manager=\"billing\",outcome=\"acquired\"} 1");
        });
    }

    @Test
    void healthIsReportedPerManager() {
        contexts.withPropertyValues("dynamolock.managers.billing.heartbeat.interval=100ms")
                .run(context -> {
                    assertThat(lease(context, "billing").isHeld()).isTrue();
                    http.decide(
                            attempt -> attempt.operation().equals("UpdateItem") ? Fault.loseRequest() : Fault.none());
                    Awaitility.await()
                            .until(() -> Objects.equals(
                                    health(context, "billing").getDetails().get("atRisk"), 1));
                    http.always(Fault.none());

                    Health other = described(context, "dynamolockManager");
                    assertThat(other.getStatus()).isEqualTo(Status.UP);
                    assertThat(other.getDetails())
                            .containsEntry("held", 0L)
                            .containsEntry("atRisk", 0)
                            .containsEntry("table", context.getEnvironment().getProperty("dynamolock.table.name"));
                    assertThat(described(context, "billing").getDetails())
                            .containsEntry("held", 1L)
                            .containsEntry("table", billing);
                });
    }

    @Test
    void endpointReadsAndReleasesInNamedManager() {
        contexts.run(context -> {
            DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
            String one = lease(context, "billing", "one").id();
            String two = lease(context, "billing", "two").id();
            String three = lease(context, "billing", "three").id();

            assertThat(((LockDescriptor) endpoint.locks("one", "billing")).state())
                    .isEqualTo("HELD");
            assertThat(((LockDescriptor) endpoint.locks("one", null)).state()).isEqualTo("FREE");
            assertThat(endpoint.release(new String[] {"one"}, one, null, "billing")
                            .released())
                    .isTrue();
            assertThat(endpoint.releaseByName("two", two, null, "billing").released())
                    .isTrue();
            assertThat(endpoint.releaseByBody("three", three, null, "billing").released())
                    .isTrue();
        });
    }

    @Test
    void endpointListsEachManager() {
        contexts.run(context -> {
            lease(context, "billing");
            DistributedLocksEndpoint endpoint = context.getBean(DistributedLocksEndpoint.class);
            LocksDescriptor held = (LocksDescriptor) endpoint.locks(null, null);

            assertThat(held.managers()).containsOnlyKeys("dynamolockManager", "billing");
            assertThat(held.managers().keySet()).first().isEqualTo("dynamolockManager");
            assertThat(held.managers().get("billing"))
                    .extracting(LockDescriptor::name)
                    .containsExactly("job");
            assertThat(state(endpoint, null)).isEqualTo("FREE");
            assertThat(state(endpoint, "billing")).isEqualTo("HELD");
        });
    }

    @Test
    void eventsNameTheirManager() {
        contexts.withBean(Hearing.class).run(context -> {
            Lease lease = lease(context, "billing");
            lease.release();

            assertThat(context.getBean(Hearing.class).events)
                    .containsExactly(
                            new LockEvent.Acquired("billing", "job", lease.fencingToken()),
                            new LockEvent.Released("billing", "job", lease.fencingToken(), ReleaseOutcome.RELEASED));
        });
    }

    @Test
    void lossPolicyAppliesPerManager() {
        contexts.withPropertyValues(
                        "dynamolock.managers.billing.on-lost=interrupt",
                        "dynamolock.managers.billing.heartbeat.interval=50ms")
                .run(context -> {
                    LockManager locks = context.getBean("billing", LockManager.class);
                    CountDownLatch working = new CountDownLatch(1);
                    List<Boolean> interrupted = new CopyOnWriteArrayList<>();
                    Thread worker = new Thread(() -> work(locks, working, interrupted));
                    worker.start();
                    working.await();

                    locks.revoke(
                            "job", Objects.requireNonNull(locks.inspect("job").leaseId()));
                    worker.join();

                    assertThat(interrupted).containsExactly(true);
                });
    }

    private static void work(LockManager locks, CountDownLatch working, List<Boolean> interrupted) {
        try {
            locks.tryCall(LockRequest.of("job"), () -> {
                working.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException lost) {
                    interrupted.add(true);
                }
                return "";
            });
        } catch (Exception afterwards) {
            assertThat(afterwards).isNotNull();
        }
    }

    @Test
    void managersCloseConcurrently() throws InterruptedException {
        CountDownLatch bodies = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        LockManager[] managers = new LockManager[2];
        contexts.run(context -> {
            managers[0] = context.getBean("dynamolockManager", LockManager.class);
            managers[1] = context.getBean("billing", LockManager.class);
            List<Thread> workers = List.of(busy(managers[0], bodies, end), busy(managers[1], bodies, end));
            bodies.await();
            Thread closing =
                    new Thread(context.getSourceApplicationContext(ConfigurableApplicationContext.class)::close);
            closing.start();

            // Both reject before either has ended: neither waits for the work of the other
            Awaitility.await().until(() -> isClosed(managers[0]) && isClosed(managers[1]));
            end.countDown();
            closing.join();
            for (Thread worker : workers) {
                worker.join();
            }
        });
        Awaitility.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("dynamolock-close")));
    }

    @Test
    void unreleasedLeasesExpireInAllManagers() {
        contexts.run(context -> {
            Lease one = lease(context, "dynamolockManager");
            Lease other = lease(context, "billing");

            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();

            assertThat(one.isHeld()).isFalse();
            assertThat(other.isHeld()).isFalse();
        });
        contexts.run(context -> {
            assertThat(context.getBean("dynamolockManager", LockManager.class).tryAcquire("job"))
                    .isEmpty();
            assertThat(context.getBean("billing", LockManager.class).tryAcquire("job"))
                    .isEmpty();
        });
    }

    private static Thread busy(LockManager locks, CountDownLatch bodies, CountDownLatch end) {
        Thread thread = new Thread(() -> {
            try {
                locks.tryCall(LockRequest.of("job"), () -> {
                    bodies.countDown();
                    end.await();
                    return "";
                });
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        });
        thread.start();
        return thread;
    }

    private static boolean isClosed(LockManager locks) {
        try {
            locks.inspect("job");
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    private static Lease lease(ApplicationContext context, String manager) {
        return lease(context, manager, "job");
    }

    private static Lease lease(ApplicationContext context, String manager, String name) {
        return context.getBean(manager, LockManager.class).tryAcquire(name).orElseThrow();
    }

    private static double acquired(MeterRegistry meters, String manager) {
        return meters.get("dynamolock.acquire")
                .tags("manager", manager, "outcome", "acquired")
                .timer()
                .count();
    }

    private static double held(MeterRegistry meters, String manager) {
        return meters.get("dynamolock.held").tag("manager", manager).gauge().value();
    }

    private static Health health(ApplicationContext context, String manager) {
        CompositeHealthContributor all =
                context.getBean("dynamolockHealthContributor", CompositeHealthContributor.class);
        HealthIndicator one = (HealthIndicator) Objects.requireNonNull(all.getContributor(manager));
        return Objects.requireNonNull(one.health(true));
    }

    /** Returns the health with a description of the table, which a starved machine does not always get in time. */
    private static Health described(ApplicationContext context, String manager) {
        return Awaitility.await()
                .until(
                        () -> health(context, manager),
                        health -> health.getDetails().containsKey("table"));
    }

    private static String state(DistributedLocksEndpoint endpoint, @Nullable String manager) {
        return endpoint.lock(new String[] {"job"}, manager).state();
    }

    static class Hearing {

        final List<LockEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void hear(LockEvent event) {
            events.add(event);
        }
    }
}
