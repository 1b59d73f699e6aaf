/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.StartFailure;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import software.amazon.awssdk.http.SdkHttpClient;
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
    void applicationEndMayTakeTheLongestGracePeriod() {
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
                    assertThat(wanting.all)
                            .containsOnly(
                                    Map.entry("dynamolockManager", wanting.plain),
                                    Map.entry("billing", wanting.billing));
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
                    assertThat(row(context, "billing", "app:b")).isTrue();
                    assertThat(row(context, "orders", "app:c")).isTrue();
                    assertThat(row(context, "dynamolockManager", "app:c")).isTrue();
                    assertThat(row(context, "dynamolockManager", "app:b")).isFalse();
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
                    assertThat(store(context, "billing").describe()).contains(billing);
                    assertThat(context.getBean(LockStore.class)).isSameAs(context.getBean("dynamolockStore"));
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
    void closeTheClientsThatAreTheirOwn() {
        List<SdkHttpClient> closed = new CopyOnWriteArrayList<>();
        TestClients.contexts(TestClients.http())
                .withPropertyValues("dynamolock.managers.abroad.table.name=" + TestClients.newTableName())
                .withPropertyValues(TestClients.ownClient("dynamolock.managers.abroad"))
                .withBean(
                        DynamoDbClientBuilderCustomizer.class,
                        () -> builder -> builder.httpClientBuilder(defaults -> noticing(closed)))
                .run(context -> {
                    assertThat(lease(context, "abroad", "job").isHeld()).isTrue();
                    assertThat(closed).isEmpty();
                });

        assertThat(closed).hasSize(1);
    }

    private static SdkHttpClient noticing(List<SdkHttpClient> closed) {
        SdkHttpClient client = LocalDynamoDb.newHttpClient();
        return (SdkHttpClient) Proxy.newProxyInstance(
                SdkHttpClient.class.getClassLoader(), new Class<?>[] {SdkHttpClient.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        closed.add(client);
                    }
                    return method.invoke(client, args);
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
    void areRejectedWithTheKeyThatIsWrong() {
        assertRejected("dynamolock.managers.billing.lease.duration", "0s");
        assertRejected("dynamolock.managers.billing.heartbeat.interval", "16s");
        assertRejected("dynamolock.managers.billing.retry.jitter", "2");
    }

    @Test
    void areRejectedIfTheirNamesAreNoBeanNames() {
        inMemory.withPropertyValues("dynamolock.managers.2nd.owner=me")
                .run(context -> assertThat(failure(context).problem()).contains("dynamolock.managers.2nd: the name"));
    }

    @Test
    void areRejectedIfTheyAreAList() {
        for (String item : List.of("[0]=billing", "[0].table.name=billing-locks")) {
            inMemory.withPropertyValues("dynamolock.managers" + item).run(context -> {
                InvalidLockPropertyException failure = failure(context);

                assertThat(failure.problem())
                        .isEqualTo("dynamolock.managers must be a map of names, but has the key 0, as a list has");
                assertThat(failure.remedy())
                        .isEqualTo("Give each lock manager a name instead of a dash, as in YAML's"
                                + " managers: {billing: {table.name: billing-locks}}.");
            });
        }
    }

    @Test
    void areRejectedWithAPropertyThatTheyDoNotHave() {
        for (String unknown : List.of("table.tabel", "metrics.lock-name-tag", "enabled")) {
            String key = "dynamolock.managers.billing." + unknown;
            inMemory.withPropertyValues(key + "=true")
                    .run(context -> assertThat(StartFailure.of(context, UnboundConfigurationPropertiesException.class)
                                    .getUnboundProperties())
                            .extracting(property -> property.getName().toString())
                            .containsExactly(key));
        }
    }

    @Test
    void areRejectedWithAValueOfAnotherType() {
        inMemory.withPropertyValues("dynamolock.managers.billing.wait.time=soon")
                .run(context -> assertThat(
                                StartFailure.of(context, BindException.class).getName())
                        .hasToString("dynamolock.managers.billing.wait.time"));
    }

    /** Spring Boot applies the converters of the application to its properties only, not to other binders. */
    @Test
    void haveValuesThatTheApplicationConverts() {
        inMemory.withUserConfiguration(Fortnights.class)
                .withPropertyValues("dynamolock.managers.billing.table.retention=fortnight")
                .run(context -> assertThat(context.getBean(NamedManagers.class)
                                .of("billing")
                                .values()
                                .table()
                                .retention())
                        .hasDays(14));
    }

    @Test
    void areFallbacksForAManagerOfTheApplication() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        inMemory.withBean("own", LockManager.class, () -> own)
                .withPropertyValues("dynamolock.managers.billing.owner=me")
                .run(context -> {
                    assertThat(context.getBean(LockManager.class)).isSameAs(own);
                    assertThat(context.getBeansOfType(LockManager.class)).containsOnlyKeys("own", "billing");
                });
    }

    private void assertRejected(String key, String value) {
        inMemory.withPropertyValues(key + "=" + value).run(context -> {
            InvalidLockPropertyException failure = failure(context);
            assertThat(failure.problem()).contains(key);
            assertThat(failure.remedy()).endsWith(".");
        });
    }

    @Test
    void nameBothKeysWhereverTheyAreSet() {
        inMemory.withPropertyValues("dynamolock.lease.duration=6s", "dynamolock.managers.billing.heartbeat.interval=4s")
                .run(context -> assertThat(failure(context).problem())
                        .isEqualTo("dynamolock.managers.billing.heartbeat.interval must be at most half of"
                                + " dynamolock.lease.duration (6s), so that one renewal may fail, but is 4s"));
        inMemory.withPropertyValues("dynamolock.managers.billing.heartbeat.interval=20s")
                .run(context -> assertThat(failure(context).problem())
                        .contains("half of dynamolock.managers.billing.lease.duration (30s)"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areRejectedIfAnotherBeanHasTheirName(boolean overriding) {
        inMemory.withAllowBeanDefinitionOverriding(overriding)
                .withBean(
                        "billing",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build(),
                        TestClients::byNameOnly)
                .withPropertyValues("dynamolock.managers.billing.owner=me")
                .run(context -> assertThat(failure(context).problem())
                        .isEqualTo(
                                "dynamolock.managers.billing needs the bean name 'billing', which another bean has"));
        inMemory.withPropertyValues("dynamolock.managers.dynamolockManager.owner=me")
                .run(context -> assertThat(failure(context).problem()).contains("bean name 'dynamolockManager'"));
    }

    @Test
    void grantEveryRequestIfLocksAreDisabled() {
        inMemory.withConfiguration(AutoConfigurations.of(DynamolockDisabledAutoConfiguration.class))
                .withPropertyValues("dynamolock.enabled=false", "dynamolock.managers.billing.owner=me")
                .run(context -> {
                    LockManager billing = context.getBean("billing", LockManager.class);
                    assertThat(billing.acquire("job").fencingToken()).isZero();
                    assertThat(context.getBean(LockManager.class).acquire("job").state())
                            .isEqualTo(LeaseState.UNLOCKED);
                });
    }

    private ApplicationContextRunner environment(Map<String, Object> variables) {
        return inMemory.withInitializer(context -> setEnvironment(context, variables));
    }

    static void setEnvironment(ConfigurableApplicationContext context, Map<String, Object> variables) {
        context.getEnvironment()
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    }

    private static Lease lease(AssertableApplicationContext context, String manager, String name) {
        return context.getBean(manager, LockManager.class).tryAcquire(name).orElseThrow();
    }

    private static boolean row(AssertableApplicationContext context, String manager, String name) {
        return store(context, manager).read(name, true, Duration.ofSeconds(1)).row() != null;
    }

    private static LockStore store(AssertableApplicationContext context, String manager) {
        return context.getBean(manager, LockManager.class)
                .diagnostics()
                .orElseThrow()
                .store();
    }

    private static InvalidLockPropertyException failure(AssertableApplicationContext context) {
        return StartFailure.of(context, InvalidLockPropertyException.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Fortnights {

        @Bean
        @ConfigurationPropertiesBinding
        static Converter<String, Duration> fortnights() {
            return new Converter<>() {
                @Override
                public Duration convert(String text) {
                    return text.equals("fortnight") ? Duration.ofDays(14) : DurationStyle.detectAndParse(text);
                }
            };
        }
    }

    static class Wanting {

        final LockManager plain;
        final LockManager billing;
        final Map<String, LockManager> all;

        Wanting(LockManager plain, @Qualifier("billing") LockManager billing, Map<String, LockManager> all) {
            this.plain = plain;
            this.billing = billing;
            this.all = all;
        }
    }
}
