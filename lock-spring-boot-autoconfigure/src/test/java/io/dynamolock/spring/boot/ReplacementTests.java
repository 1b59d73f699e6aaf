/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

/** Beans with which an application replaces parts other than manager, store, retry policy and listeners. */
class ReplacementTests {

    private static final Instant LONG_AGO = Instant.parse("2021-02-03T04:05:06Z");

    private final ApplicationContextRunner inMemory = TestClients.contexts()
            .withPropertyValues("dynamolock.store=memory", "dynamolock.managers.billing.table.name=billing-locks");

    @Test
    @ExtendWith(LogCapture.class)
    void theConnectionIsThatOfTheClient(CapturedOutput output) {
        TestClients.contexts()
                .withBean(DynamoDbClient.class, () -> TestClients.client(TestClients.http()))
                .withPropertyValues(
                        "dynamolock.client.endpoint=http://localhost:1", "dynamolock.client.region=eu-north-1")
                .run(context -> {
                    assertThat(lease(context.getBean(LockManager.class)).isHeld())
                            .isTrue();
                    assertThat(output.getOut().lines().filter(line -> line.contains("Ignored")))
                            .singleElement()
                            .asString()
                            .startsWith("WARN")
                            .contains("dynamolock.client.region, dynamolock.client.endpoint")
                            .contains("configure the connection of that bean");
                });
    }

    @Test
    @ExtendWith(LogCapture.class)
    void propertiesThatDoNotApplyToTheManagerOfTheApplicationAreNamed(CapturedOutput output) {
        TestClients.contexts()
                .withBean(LockManager.class, ReplacementTests::ownManager)
                .withPropertyValues(
                        "dynamolock.table.name=shop-locks",
                        "dynamolock.table.honor[0]=shedlock",
                        "dynamolock.lease.duration=10s",
                        "dynamolock.owner=",
                        "dynamolock.annotation.on-busy=throw")
                .run(context -> assertThat(replaced(output))
                        .singleElement()
                        .asString()
                        .startsWith("WARN")
                        .contains("dynamolock.table.name", "dynamolock.table.honor", "dynamolock.lease.duration")
                        .doesNotContain("dynamolock.owner", "dynamolock.annotation"));
    }

    @Test
    @ExtendWith(LogCapture.class)
    void propertiesThatApplyToAManagerAreNotNamed(CapturedOutput output) {
        inMemory.withBean(LockManager.class, ReplacementTests::ownManager) // which billing inherits
                .run(context -> assertThat(replaced(output)).isEmpty());
        TestClients.contexts()
                .withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(replaced(output)).isEmpty());
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
                .withBean(LockManager.class, ReplacementTests::ownManager)
                .withPropertyValues("dynamolock.annotation.on-busy=throw")
                .run(context -> assertThat(replaced(output)).isEmpty());
    }

    @Test
    @ExtendWith(LogCapture.class)
    void propertiesThatDoNotApplyToTheStoreOfTheApplicationAreNamed(CapturedOutput output) {
        TestClients.contexts()
                .withBean("billingLockStore", LockStore.class, InMemoryLockStore::new) // that of both managers
                .withPropertyValues(
                        "dynamolock.store=dynamodb",
                        "dynamolock.table.honor[0]=shedlock",
                        "dynamolock.client.region=eu-north-1",
                        "dynamolock.client.attempt-timeout=2s",
                        "dynamolock.lease.duration=10s",
                        "dynamolock.managers.billing.owner=me")
                .run(context -> assertThat(replaced(output))
                        .singleElement()
                        .asString()
                        .startsWith("WARN")
                        .contains("A LockStore bean")
                        .contains("dynamolock.store", "dynamolock.table.name", "dynamolock.table.honor")
                        .contains("dynamolock.client.region")
                        .doesNotContain("dynamolock.client.attempt-timeout", "dynamolock.lease"));
    }

    @Test
    @ExtendWith(LogCapture.class)
    void propertiesThatApplyToAStoreAreNotNamed(CapturedOutput output) {
        ApplicationContextRunner own =
                TestClients.contexts().withBean("ownStore", LockStore.class, InMemoryLockStore::new);
        own.withPropertyValues("dynamolock.managers.billing.store=memory") // which inherits the name of the table
                .run(context -> assertThat(replaced(output)).isEmpty());
        own.withPropertyValues("dynamolock.store=memory") // as it is
                .run(context -> assertThat(replaced(output)).isEmpty());
        own.withBean(LockManager.class, ReplacementTests::ownManager)
                .run(context ->
                        assertThat(replaced(output)).singleElement().asString().contains("A LockManager bean"));
    }

    @Test
    @ExtendWith(LogCapture.class)
    void theStoreThatIsThatOfThePropertyIsNotNamed(CapturedOutput output) {
        TestClients.contexts()
                .withBean(
                        LockStore.class,
                        () -> DynamoDbLockStore.builder(TestClients.client(TestClients.http()))
                                .build())
                .withPropertyValues("dynamolock.store=dynamodb")
                .run(context ->
                        assertThat(replaced(output)).singleElement().asString().contains(": dynamolock.table.name."));
    }

    private static LockManager ownManager() {
        return LockManager.builder(new InMemoryLockStore()).build();
    }

    private static Stream<String> replaced(CapturedOutput output) {
        return output.getOut().lines().filter(line -> line.contains("replaces the default one"));
    }

    /** As {@code @MockitoBean DynamoDbClient}: it failed with a NullPointerException, without a remedy. */
    @Test
    void aMockOfTheClientStopsTheStart() {
        ApplicationContextRunner contexts = TestClients.contexts().withBean(DynamoDbClient.class, MockedClient::new);

        contexts.run(context -> {
            InvalidLockPropertyException failure = StartFailure.of(context, InvalidLockPropertyException.class);

            assertThat(failure.problem()).contains("a mock", MockedClient.class.getName());
            assertThat(failure.remedy()).contains("@AutoConfigureTestLocks", "dynamolock.store = memory");
        });
        contexts.withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @ExtendWith(LogCapture.class)
    void theConnectionIsForNamedManagersThatInheritIt(CapturedOutput output) {
        TestClients.contexts()
                .withBean(DynamoDbClient.class, () -> TestClients.client(TestClients.http()))
                .withPropertyValues(
                        "dynamolock.client.region=" + LocalDynamoDb.REGION,
                        "dynamolock.client.access-key=local",
                        "dynamolock.client.secret-key=local",
                        "dynamolock.managers.billing.client.endpoint=" + LocalDynamoDb.endpoint())
                .run(context -> {
                    assertThat(lease(context.getBean("billing", LockManager.class))
                                    .isHeld())
                            .isTrue();
                    assertThat(output.getOut()).doesNotContain("Ignored");
                });
    }

    static Stream<Arguments> ignoredConnections() {
        String ignored = "dynamolock.client.endpoint=http://localhost:1";
        return Stream.of(
                Arguments.of(
                        "the one that has a connection is not in DynamoDB",
                        List.of(
                                ignored,
                                "dynamolock.managers.billing.store=memory",
                                "dynamolock.managers.billing.client.region=eu-north-1"),
                        "dynamolock.client.endpoint. The lock manager dynamolockManager"),
                Arguments.of(
                        "only the named one is in DynamoDB",
                        List.of(ignored, "dynamolock.store=memory", "dynamolock.managers.billing.store=dynamodb"),
                        "dynamolock.client.endpoint. The lock manager billing"),
                Arguments.of(
                        "a client is named after it",
                        List.of(
                                "dynamolock.client.region=eu-north-1",
                                "dynamolock.managers.audit.client.endpoint=http://localhost:1"),
                        "dynamolock.managers.audit.client.endpoint. The lock manager audit"),
                Arguments.of(
                        "nor does that manager use the default connection",
                        List.of(
                                "dynamolock.client.region=eu-north-1",
                                "dynamolock.managers.audit.client.endpoint=http://localhost:1"),
                        "dynamolock.client.region. The lock manager dynamolockManager"),
                Arguments.of(
                        "a client is named after one with a capital letter",
                        List.of("dynamolock.managers.auditLog.client.endpoint=http://localhost:1"),
                        "dynamolock.managers.auditlog.client.endpoint. The lock manager auditLog"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ignoredConnections")
    @ExtendWith(LogCapture.class)
    void theConnectionOfNamedManagersIsThatOfTheClient(
            String why, List<String> properties, String ignored, CapturedOutput output) {
        TestClients.contexts()
                .withBean(DynamoDbClient.class, () -> TestClients.client(TestClients.http()))
                .withUserConfiguration(AuditClient.class)
                .withPropertyValues(properties.toArray(String[]::new))
                .run(context -> {
                    assertThat(context).as(why).hasNotFailed();
                    assertThat(output).contains("Ignored: " + ignored + " uses a DynamoDB client bean");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class AuditClient {

        @Bean(defaultCandidate = false)
        DynamoDbClient auditDynamoDbClient() {
            return TestClients.client(TestClients.http());
        }

        @Bean(defaultCandidate = false)
        DynamoDbClient auditLogDynamoDbClient() {
            return TestClients.client(TestClients.http());
        }
    }

    @Test
    void theOwnerIsWhatASupplierSays() {
        inMemory.withPropertyValues("dynamolock.owner=nobody")
                .withBean(LockOwnerSupplier.class, () -> manager -> "me, of " + manager)
                .run(context -> {
                    assertThat(lease(context.getBean(LockManager.class)).owner())
                            .isEqualTo("me, of dynamolockManager");
                    assertThat(lease(context.getBean("billing", LockManager.class))
                                    .owner())
                            .isEqualTo("me, of billing");
                });
    }

    @Test
    void theClockIsTheOneForLocks() {
        inMemory.withPropertyValues("dynamolock.lease.time=system")
                .withBean("dynamolockClock", Clock.class, ReplacementTests::longAgo)
                .run(context -> assertThat(
                                lease(context.getBean(LockManager.class)).acquiredAt())
                        .isEqualTo(LONG_AGO));
    }

    @Test
    void theClockIsNotOneForOtherPurposes() {
        inMemory.withPropertyValues("dynamolock.lease.time=system")
                .withBean("businessClock", Clock.class, ReplacementTests::longAgo)
                .run(context -> assertThat(
                                lease(context.getBean(LockManager.class)).acquiredAt())
                        .isAfter(LONG_AGO.plus(Duration.ofDays(365))));
    }

    @Test
    void customizersApplyToManagerInTheirOrder() {
        inMemory.withBean("second", Second.class)
                .withBean("first", First.class)
                .run(context -> assertThat(
                                lease(context.getBean(LockManager.class)).owner())
                        .isEqualTo("second"));
    }

    @Test
    void theClientIsWhatACustomizerMakesOfItAndStillForLocks() {
        AtomicReference<DynamoDbClientBuilder> customized = new AtomicReference<>();
        TestClients.contexts()
                .withPropertyValues(TestClients.ownClient())
                .withBean(
                        DynamoDbClientBuilderCustomizer.class,
                        () -> builder -> customized.set(
                                builder.overrideConfiguration(settings -> settings.putHeader("X-Team", "billing"))))
                .run(context -> {
                    assertThat(lease(context.getBean(LockManager.class)).isHeld())
                            .isTrue();
                    try (DynamoDbClient same =
                            Objects.requireNonNull(customized.get()).build()) {
                        ClientOverrideConfiguration settings =
                                same.serviceClientConfiguration().overrideConfiguration();
                        assertThat(settings.headers()).containsKey("X-Team");
                        assertThat(settings.retryStrategy().orElseThrow().maxAttempts())
                                .isOne();
                    }
                });
    }

    @Test
    void theClientIsTheOneForLocksAlone() {
        FaultyHttpClient forLocks = TestClients.http();
        FaultyHttpClient applications = TestClients.http();
        TestClients.contexts(applications)
                .withBean(
                        "dynamolockClient",
                        DynamoDbClient.class,
                        () -> TestClients.client(forLocks),
                        TestClients::byNameOnly)
                .run(context -> {
                    assertThat(lease(context.getBean(LockManager.class)).isHeld())
                            .isTrue();
                    assertThat(forLocks.count("UpdateItem")).isEqualTo(1);
                    assertThat(applications.attempts()).isEmpty();
                });
    }

    @Test
    void excludingTheFirstAutoConfigurationLeavesTheOthers() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DistributedLockAutoConfiguration.class,
                        DynamolockMetricsAutoConfiguration.class,
                        DynamolockHealthAutoConfiguration.class,
                        DynamolockEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "dynamolock.annotation.on-busy=skip",
                        "management.endpoints.web.exposure.include=distributedlocks")
                .withBean(SimpleMeterRegistry.class)
                .withBean(
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore())
                                .shutdownGrace(Duration.ZERO)
                                .build())
                .withBean(Work.class)
                .run(context -> {
                    assertThat(context.getBean(Work.class).run()).isEqualTo("done");
                    Lease busy = lease(context.getBean(LockManager.class));

                    assertThat(context.getBean(Work.class).run()).isNull();
                    busy.release();
                    assertThat(context).hasSingleBean(HealthContributor.class);
                    assertThat(context.getBean(DistributedLocksEndpoint.class)).isNotNull();
                });
    }

    @Test
    void theTableIsWhatACustomizerMakesOfIt() {
        List<String> customized = new CopyOnWriteArrayList<>();
        DynamoDbLockStoreCustomizer customizer = (manager, builder) -> {
            customized.add(manager);
            builder.deletionProtection(manager.equals("billing"));
        };
        String billing = TestClients.newTableName();
        TestClients.contexts(TestClients.http())
                .withPropertyValues("dynamolock.managers.billing.table.name=" + billing)
                .withBean(DynamoDbLockStoreCustomizer.class, () -> customizer)
                .run(context -> {
                    assertThat(customized).containsExactlyInAnyOrder("dynamolockManager", "billing");
                    assertThat(isProtected(billing)).isTrue();
                    assertThat(isProtected(context.getBean(DynamoDbLockStore.class)
                                    .table()
                                    .describe()
                                    .name()))
                            .isFalse();
                });
    }

    private static boolean isProtected(String table) {
        return Boolean.TRUE.equals(LocalDynamoDb.client()
                .describeTable(request -> request.tableName(table))
                .table()
                .deletionProtectionEnabled());
    }

    static class Work {

        @DistributedLock("job")
        public @Nullable String run() {
            return "done";
        }
    }

    private static Lease lease(LockManager locks) {
        return locks.tryAcquire("job").orElseThrow();
    }

    private static Clock longAgo() {
        return ((InstantSource) () -> LONG_AGO).withZone(ZoneOffset.UTC);
    }

    @Order(1)
    static class First implements LockManagerCustomizer {

        @Override
        public void customize(String manager, LockManagerBuilder builder) {
            builder.owner("first");
        }
    }

    @Order(2)
    static class Second implements LockManagerCustomizer {

        @Override
        public void customize(String manager, LockManagerBuilder builder) {
            builder.owner("second");
        }
    }

    /** Returns null, as a mock does. */
    private static final class MockedClient implements DynamoDbClient {

        @Override
        @SuppressWarnings("NullAway")
        public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
            return null;
        }

        @Override
        public String serviceName() {
            return "";
        }

        @Override
        public void close() {
            // Nothing to close
        }
    }
}
