/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.ShownLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

/** What operators see of locks, and what they can do about them. */
@ExtendWith(OutputCaptureExtension.class)
class DistributedLocksEndpointTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(
                    AutoConfigurations.of(EndpointAutoConfiguration.class, DynamolockEndpointAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=distributedlocks");

    @Test
    void listsWhatIsHeldHere() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("job").owner("me").metadata(Map.of("why", "because")));
            locks.tryAcquire("released").orElseThrow().release();
            http.forget();

            assertThat(held(context)).singleElement().satisfies(shown -> {
                assertThat(shown.name()).isEqualTo("job");
                assertThat(shown.state()).isEqualTo("HELD");
                assertThat(shown.owner()).isEqualTo("me");
                assertThat(shown.fencingToken()).isEqualTo(lease.fencingToken());
                assertThat(shown.acquiredAt()).isEqualTo(lease.acquiredAt());
                assertThat(shown.age()).isGreaterThanOrEqualTo(Duration.ZERO);
                assertThat(shown.expiresAt()).isEqualTo(lease.expiresAt());
                assertThat(shown.metadata()).containsEntry("why", "because");
            });
            assertThat(http.attempts()).isEmpty();
        });
    }

    @Test
    void tellsWhichLeasesAreAtRisk() {
        contexts.withPropertyValues("dynamolock.heartbeat.interval=100ms").run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            http.always(Fault.loseRequest());

            Awaitility.await().until(() -> held(context).get(0).state().equals("AT_RISK"));

            assertThat(lease.isHeld()).isTrue();
            http.always(Fault.none());
            Awaitility.await().until(() -> held(context).get(0).state().equals("HELD"));
        });
    }

    @Test
    void showsTheRowOfAnyLock() {
        contexts.run(context -> {
            context.getBean(LockManager.class).acquire(LockRequest.of("a/b").owner("me"));

            ShownLock held = row(endpoint(context), null, "a", "b");
            ShownLock free = row(endpoint(context), "dynamolockManager", "nobody's");

            assertThat(held.name()).isEqualTo("a/b");
            assertThat(held.state()).isEqualTo("HELD");
            assertThat(held.owner()).isEqualTo("me");
            assertThat(free.state()).isEqualTo("FREE");
            assertThat(free.owner()).isNull();
            assertThatExceptionOfType(InvalidEndpointRequestException.class)
                    .isThrownBy(() -> row(endpoint(context), "nobody", "a"))
                    .withMessageContaining("no lock manager 'nobody', but [dynamolockManager]");
        });
    }

    @Test
    void showsNoLeaseIdUnlessItCanBeUsed() {
        contexts.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            assertThat(held(context))
                    .allSatisfy(shown -> assertThat(shown.toString()).doesNotContain(lease.id()));
            assertThat(String.valueOf(endpoint(context).lock(new String[] {"job"}, null)))
                    .doesNotContain(lease.id());
        });
    }

    @Test
    void releasesByForceWithTheLeaseId(CapturedOutput output) {
        contexts.withPropertyValues("management.endpoint.distributedlocks.access=UNRESTRICTED")
                .run(context -> {
                    Lease lease =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
                    String[] name = {"job"};
                    DistributedLocksEndpoint endpoint = endpoint(context);
                    ShownLock shown = row(endpoint, null, name);
                    assertThat(shown.leaseId()).isEqualTo(lease.id());

                    assertThatExceptionOfType(InvalidEndpointRequestException.class)
                            .isThrownBy(() -> endpoint.release(name, " ", null));
                    assertThat(endpoint.release(name, "another", null))
                            .isEqualTo(new DistributedLocksEndpoint.Release("job", false));
                    assertThat(endpoint.release(name, lease.id(), null))
                            .isEqualTo(new DistributedLocksEndpoint.Release("job", true));
                    assertThatExceptionOfType(InvalidEndpointRequestException.class)
                            .isThrownBy(() -> endpoint.release(name, lease.id(), "nobody"));

                    ShownLock freed = row(endpoint, null, name);
                    assertThat(freed.state()).isEqualTo("FREE");
                    assertThat(output.getOut()).containsOnlyOnce("Lock 'job' was released by force");
                });
    }

    @Test
    void listsEachManagerByItsName() {
        contexts.withBean(
                        "mine",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .withBean(
                        "yours",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .run(context -> {
                    Lease held = context.getBean("yours", LockManager.class)
                            .tryAcquire("job")
                            .orElseThrow();

                    assertThat(endpoint(context).held().managers()).containsOnlyKeys("mine", "yours");
                    assertThat(endpoint(context).held().managers().get("yours")).hasSize(1);
                    ShownLock row = row(endpoint(context), "yours", "job");
                    assertThat(row.state()).isEqualTo("HELD");
                    held.release();
                });
    }

    @Test
    void isNotThereIfNotExposedOrSwitchedOffOrWithoutActuator() {
        contexts.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        contexts.withPropertyValues("management.endpoint.distributedlocks.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        contexts.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DistributedLocksEndpoint.class));
        TestClients.contexts(http)
                .withConfiguration(AutoConfigurations.of(DynamolockEndpointAutoConfiguration.class))
                .withClassLoader(TestClients.without("org.springframework.boot.actuate."))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockManager.class)
                        .doesNotHaveBean("dynamolockEndpoint"));
    }

    private static List<ShownLock> held(ApplicationContext context) {
        return endpoint(context).held().managers().values().iterator().next();
    }

    private static ShownLock row(DistributedLocksEndpoint endpoint, @Nullable String manager, String... name) {
        return endpoint.lock(name, manager);
    }

    private static DistributedLocksEndpoint endpoint(ApplicationContext context) {
        return context.getBean(DistributedLocksEndpoint.class);
    }
}
