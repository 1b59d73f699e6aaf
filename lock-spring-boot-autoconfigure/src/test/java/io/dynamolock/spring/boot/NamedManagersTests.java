/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.StartFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Lock managers below {@code dynamolock.managers}: their creation, their properties, and rejected input. */
class NamedManagersTests {

    private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
            .withPropertyValues(
                    "dynamolock.store=memory",
                    "dynamolock.table.name=common",
                    "dynamolock.shutdown.grace-period=0s"); // for leases that a test does not release

    @Test
    void theEndOfTheApplicationMayTakeAsLongAsTheLongestGracePeriod() {
        inMemory.withPropertyValues(
                        "dynamolock.shutdown.grace-period=5s",
                        "dynamolock.managers.billing.shutdown.grace-period=20s",
                        "dynamolock.managers.orders.shutdown.grace-period=5s")
                .run(context -> assertThat(
                                context.getBean(LockManagerFactory.class).exitMillis())
                        .isEqualTo(60_000));
    }

    @Test
    void areInjectedByNameBesideTheDefaultOne() {
        inMemory.withPropertyValues("dynamolock.managers.billing.table.name=billing-locks")
                .withBean(Wanting.class)
                .run(context -> {
                    Wanting wanting = context.getBean(Wanting.class);

                    assertThat(wanting.plain).isSameAs(context.getBean("dynamolockManager"));
                    assertThat(wanting.billing).isSameAs(context.getBean("billing"));
                    assertThat(wanting.all).containsExactly(wanting.plain);
                    assertThat(context.getBean(LockManager.class)).isSameAs(wanting.plain);
                    assertThat(wanting.billing.tryAcquire("job")).isPresent();
                    assertThat(wanting.plain.tryAcquire("job")).isPresent();
                });
    }

    @Test
    void inheritWhatTheyDoNotSet() {
        inMemory.withPropertyValues(
                        "dynamolock.owner=me",
                        "dynamolock.lease.duration=60s",
                        "dynamolock.name-prefix=app:",
                        "dynamolock.managers.billing.table.name=billing-locks",
                        "dynamolock.managers.billing.lease.duration=20s",
                        "dynamolock.managers.orders.owner=orders")
                .run(context -> {
                    Lease plain = lease(context, "dynamolockManager", "a");
                    Lease billing = lease(context, "billing", "b");
                    Lease orders = lease(context, "orders", "c");

                    assertThat(List.of(plain.owner(), billing.owner(), orders.owner()))
                            .containsExactly("me", "me", "orders");
                    assertThat(plain.remaining()).isGreaterThan(Duration.ofSeconds(40));
                    assertThat(billing.remaining()).isLessThan(Duration.ofSeconds(21));
                    assertThat(orders.remaining()).isGreaterThan(Duration.ofSeconds(40));
                    assertThat(row(context, "billingLockStore", "app:b")).isTrue();
                    assertThat(row(context, "ordersLockStore", "app:c")).isTrue();
                    assertThat(row(context, "dynamolockStore", "app:c")).isTrue();
                    assertThat(row(context, "dynamolockStore", "app:b")).isFalse();
                });
    }

    @Test
    void excludeEachOtherOnTheSameTableWhateverTheirSettings() {
        inMemory.withPropertyValues("dynamolock.managers.quick.lease.duration=2s")
                .run(context -> {
                    Lease held = lease(context, "quick", "job");

                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isEmpty();

                    held.release();
                    assertThat(lease(context, "dynamolockManager", "job").fencingToken())
                            .isGreaterThan(held.fencingToken());
                });
    }

    @Test
    void haveTheirTablesClientsAndKeysInDynamoDb() {
        FaultyHttpClient applications = TestClients.http();
        String billing = TestClients.newTableName();
        TestClients.contexts(applications)
                .withPropertyValues(
                        "dynamolock.managers.billing.table.name=" + billing,
                        "dynamolock.managers.billing.table.partition-key=pk",
                        "dynamolock.managers.abroad.table.name=" + TestClients.newTableName())
                .withPropertyValues(TestClients.ownClient("dynamolock.managers.abroad"))
                .run(context -> {
                    applications.forget();
                    Lease plain = lease(context, "dynamolockManager", "job");
                    Lease own = lease(context, "billing", "job");
                    int sent = applications.count("UpdateItem");
                    Lease abroad = lease(context, "abroad", "job");

                    assertThat(List.of(plain.isHeld(), own.isHeld(), abroad.isHeld()))
                            .containsOnly(true);
                    assertThat(sent).isEqualTo(2);
                    assertThat(applications.count("UpdateItem")).isEqualTo(2);
                    assertThat(context.getBean("billingLockStore", DynamoDbLockStore.class)
                                    .table()
                                    .describe()
                                    .name())
                            .isEqualTo(billing);
                    assertThat(context.getBean(LockStore.class)).isSameAs(context.getBean("dynamolockStore"));
                    assertThat(context.getBean(DynamoDbClient.class))
                            .isNotSameAs(context.getBean("abroadDynamoDbClient"));
                });
    }

    @Test
    void takeAClientOrAStoreOfTheApplicationWithTheirName() {
        FaultyHttpClient ofBilling = TestClients.http();
        InMemoryLockStore ofOrders = new InMemoryLockStore();
        TestClients.contexts(TestClients.http())
                .withBean(
                        "billingDynamoDbClient",
                        DynamoDbClient.class,
                        () -> TestClients.client(ofBilling),
                        TestClients::byNameOnly)
                .withBean("ordersLockStore", LockStore.class, () -> ofOrders, TestClients::byNameOnly)
                .withPropertyValues(
                        "dynamolock.managers.billing.table.name=" + TestClients.newTableName(),
                        "dynamolock.managers.orders.owner=me")
                .run(context -> {
                    lease(context, "billing", "job");
                    lease(context, "orders", "job");
                    lease(context, "dynamolockManager", "job");

                    assertThat(ofBilling.count("UpdateItem")).isEqualTo(1);
                    assertThat(ofOrders.read("job", true, Duration.ofSeconds(1)).row())
                            .isNotNull();
                });
    }

    @Test
    void giveWayToALockManagerOfTheApplicationWithTheirName() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        inMemory.withBean("billing", LockManager.class, () -> own, TestClients::byNameOnly)
                .withPropertyValues("dynamolock.managers.billing.owner=me")
                .run(context -> {
                    assertThat(context.getBean("billing")).isSameAs(own);
                    assertThat(context.getBean(LockManager.class)).isSameAs(context.getBean("dynamolockManager"));
                });
    }

    @Test
    void areReadFromEnvironmentVariables() {
        environment(Map.of(
                        "DYNAMOLOCK_MANAGERS_BILLING_TABLE_NAME", "billing-locks",
                        "DYNAMOLOCK_MANAGERS_BILLING_LEASE_MAXDURATION", "40s",
                        "DYNAMOLOCK_MANAGERS_NIGHTJOBS_OWNER", "night",
                        "DYNAMOLOCK_MANAGERS_NIGHT_JOBS_NAME_PREFIX", "n:",
                        "DYNAMOLOCK_LEASE_DURATION", "10s"))
                .withPropertyValues("dynamolock.managers.night-jobs.table.name=night-locks")
                .run(context -> {
                    NamedManagers named = context.getBean(NamedManagers.class);

                    assertThat(context.getBeansOfType(LockManager.class))
                            .containsOnlyKeys("dynamolockManager", "billing", "night-jobs");
                    assertThat(named.of("billing").values().table().name()).isEqualTo("billing-locks");
                    assertThat(named.of("billing").values().lease().maxDuration())
                            .hasSeconds(40);
                    assertThat(named.of("billing").values().lease().duration()).hasSeconds(10);
                    assertThat(named.of("night-jobs").values().owner()).isEqualTo("night");
                    assertThat(named.of("night-jobs").values().namePrefix()).isEqualTo("n:");
                    assertThat(named.of("night-jobs").values().table().name()).isEqualTo("night-locks");
                });
    }

    @Test
    void durationsWithoutUnitAreInSeconds() {
        inMemory.withPropertyValues("dynamolock.managers.billing.lease.duration=45")
                .run(context -> assertThat(context.getBean("billing", LockManager.class)
                                .diagnostics()
                                .orElseThrow()
                                .settings()
                                .leaseDuration())
                        .isEqualTo(Duration.ofSeconds(45)));
    }

    @Test
    void mayBeWrittenInCamelCase() {
        inMemory.withPropertyValues("dynamolock.managers.nightJobs.table.partitionKey=pk")
                .run(context -> {
                    assertThat(lease(context, "nightJobs", "job").isHeld()).isTrue();
                    assertThat(context.getBean(NamedManagers.class)
                                    .of("nightJobs")
                                    .values()
                                    .table()
                                    .partitionKey())
                            .isEqualTo("pk");
                });
    }

    @Test
    void areRefusedWithTheKeyThatIsWrong() {
        assertRefused("dynamolock.managers.billing.lease.duration", "0s");
        assertRefused("dynamolock.managers.billing.heartbeat.interval", "16s");
        assertRefused("dynamolock.managers.billing.retry.jitter", "2");
        assertRefused("dynamolock.managers.billing.table.tabel", "x");
        assertRefused("dynamolock.managers.billing.metrics.lock-name-tag", "true");
        assertRefused("dynamolock.managers.billing.wait.time", "soon");
        assertRefused("dynamolock.managers.2nd.owner", "me");
    }

    private void assertRefused(String key, String value) {
        inMemory.withPropertyValues(key + "=" + value).run(context -> {
            InvalidLockPropertyException failure = failure(context);
            assertThat(failure.key()).isEqualTo(key);
            assertThat(failure.problem()).contains(key);
            assertThat(failure.remedy()).endsWith(".");
        });
    }

    @Test
    void nameBothKeysWhereverTheyAreSet() {
        inMemory.withPropertyValues("dynamolock.lease.duration=6s", "dynamolock.managers.billing.heartbeat.interval=4s")
                .run(context -> assertThat(failure(context).problem())
                        .isEqualTo("dynamolock.managers.billing.heartbeat.interval must be at most half of"
                                + " dynamolock.lease.duration (PT6S), so that one renewal may fail, but is PT4S"));
        inMemory.withPropertyValues("dynamolock.managers.billing.heartbeat.interval=20s")
                .run(context -> assertThat(failure(context).problem())
                        .contains("half of dynamolock.managers.billing.lease.duration (PT30S)"));
    }

    @Test
    void areRefusedIfAnotherBeanHasTheirName() {
        inMemory.withBean("billing", String.class, () -> "a bill")
                .withPropertyValues("dynamolock.managers.billing.owner=me")
                .run(context -> assertThat(failure(context).problem())
                        .isEqualTo(
                                "dynamolock.managers.billing needs the bean name 'billing', which another bean has"));
        inMemory.withPropertyValues("dynamolock.managers.dynamolockManager.owner=me")
                .run(context -> assertThat(failure(context).problem()).contains("bean name 'dynamolockManager'"));
    }

    @Test
    void areRefusedWithoutTheSdkUnlessInMemory() {
        ApplicationContextRunner withoutSdk = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("software.amazon.awssdk"));
        withoutSdk
                .withPropertyValues("dynamolock.managers.billing.owner=me")
                .run(context -> assertThat(failure(context).problem()).contains("AWS SDK is not on the class path"));
        withoutSdk
                .withPropertyValues("dynamolock.managers.billing.store=memory")
                .run(context -> {
                    Lease held = lease(context, "billing", "job");
                    assertThat(held.isHeld()).isTrue();
                    held.release();
                    assertThat(context).hasSingleBean(LockManagerLifecycle.class);
                });
    }

    @Test
    void areNotThereIfLocksAreDisabled() {
        inMemory.withPropertyValues("dynamolock.enabled=false", "dynamolock.managers.billing.owner=me")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LockManager.class)
                        .doesNotHaveBean("billing"));
    }

    private ApplicationContextRunner environment(Map<String, Object> variables) {
        return inMemory.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)));
    }

    private static Lease lease(AssertableApplicationContext context, String manager, String name) {
        return context.getBean(manager, LockManager.class).tryAcquire(name).orElseThrow();
    }

    private static boolean row(AssertableApplicationContext context, String store, String name) {
        return context.getBean(store, LockStore.class)
                        .read(name, true, Duration.ofSeconds(1))
                        .row()
                != null;
    }

    private static InvalidLockPropertyException failure(AssertableApplicationContext context) {
        return StartFailure.of(context, InvalidLockPropertyException.class);
    }

    static class Wanting {

        final LockManager plain;
        final LockManager billing;
        final List<LockManager> all;

        Wanting(LockManager plain, @Qualifier("billing") LockManager billing, List<LockManager> all) {
            this.plain = plain;
            this.billing = billing;
            this.all = all;
        }
    }
}
