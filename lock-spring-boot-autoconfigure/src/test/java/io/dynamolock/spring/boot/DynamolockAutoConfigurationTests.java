/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.RetryPolicy;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.StartFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.testcontainers.properties.TestcontainersPropertySourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.test.context.DynamicPropertyRegistrar;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Beans of the auto-configuration and of the application. */
class DynamolockAutoConfigurationTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts();

    @Test
    void locksWithTheApplicationsClient() {
        contexts.withBean(DynamoDbClient.class, () -> TestClients.client(http)).run(context -> {
            try (Lease lease =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(http.count("UpdateItem")).isEqualTo(2);
            assertThat(context).hasSingleBean(DynamoDbClient.class);
        });
    }

    @Test
    void locksWithAClientOfAnAutoConfigurationThatComesLater() {
        contexts.withConfiguration(AutoConfigurations.of(LateClient.class)).run(context -> {
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();
            assertThat(context.getBean(LateClient.class).http.count("UpdateItem"))
                    .isEqualTo(1);
            assertThat(context.getBeanFactory().containsSingleton("dynamolockDefaultClient"))
                    .isFalse();
        });
    }

    @Test
    void makesAClientIfTheApplicationHasNone() {
        contexts.withPropertyValues(TestClients.ownClient()).run(context -> {
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();
            assertThat(context.getBean(LockStore.class)).isInstanceOf(DynamoDbLockStore.class);
        });
    }

    @Test
    void emptyNameOfTheStoreIsTheDefault() {
        contexts.withPropertyValues(TestClients.ownClient())
                .withPropertyValues("dynamolock.store=")
                .run(context -> assertThat(context).hasSingleBean(DynamoDbLockStore.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory ", " Memory", "MEM-ORY"})
    void namesTheStoreInAnyFormThatSpringBootAccepts(String memory) {
        contexts.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("written", Map.of("dynamolock.store", memory))))
                .run(context -> assertThat(context).hasSingleBean(InMemoryLockStore.class));
    }

    @Test
    void anUnknownStoreIsRejectedByTheBindingOfTheProperties() {
        contexts.withPropertyValues("dynamolock.store=redis")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ConfigurationPropertiesBindException.class)
                        .hasStackTraceContaining("DynamolockProperties.Store.redis"));
    }

    @Test
    void bindsPropertiesThatABeanRegisters() {
        new ApplicationContextRunner()
                .withUserConfiguration(RegisteredProperties.class)
                .withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(
                                context.getBean(DynamolockProperties.class).owner())
                        .isEqualTo("me"));
    }

    @Test
    void doesNotOfferItsClientToTheApplication() {
        contexts.withPropertyValues(TestClients.ownClient())
                .withBean(WantsClient.class)
                .run(context -> {
                    assertThat(context.getBean(WantsClient.class).injected).isNull();
                    assertThat(context.getBean("dynamolockDefaultClient")).isInstanceOf(DynamoDbClient.class);
                });
    }

    @Test
    void rejectsToChooseAmongSeveralClients() {
        contexts.withBean("one", DynamoDbClient.class, () -> TestClients.client(http))
                .withBean("other", DynamoDbClient.class, () -> TestClients.client(http))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("expected single matching bean but found 2: one,other"));
    }

    @Test
    void takesThePrimaryOneOfSeveralClients() {
        contexts.withBean("one", DynamoDbClient.class, () -> TestClients.client(http), bean -> bean.setPrimary(true))
                .withBean("other", DynamoDbClient.class, () -> TestClients.client(TestClients.http()))
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                            .isPresent();
                    assertThat(http.count("UpdateItem")).isEqualTo(1);
                });
    }

    @Test
    void backsOffForAManagerOfTheApplication() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        contexts.withBean("own", LockManager.class, () -> own).run(context -> {
            assertThat(context.getBean(LockManager.class)).isSameAs(own);
            assertThat(context).doesNotHaveBean(LockStore.class).doesNotHaveBean("dynamolockDefaultClient");
        });
    }

    @Test
    void backsOffForApplicationsManagerThatHasAStoreToo() {
        LockManager own = LockManager.builder(new InMemoryLockStore()).build();
        contexts.withBean("own", LockManager.class, () -> own)
                .withBean(LockStore.class, InMemoryLockStore::new)
                .run(context -> assertThat(context.getBean(LockManager.class)).isSameAs(own));
    }

    @Test
    void locksInAStoreOfTheApplication() {
        InMemoryLockStore store = new InMemoryLockStore();
        contexts.withBean(LockStore.class, () -> store).run(context -> {
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();

            assertThat(store.read("job", true, Duration.ofSeconds(1)).row()).isNotNull();
            assertThat(context).hasSingleBean(LockStore.class).doesNotHaveBean("dynamolockDefaultClient");
        });
    }

    /** Returns the number of requests. The first one may be a read that samples the store's time. */
    private int attempts() {
        return http.count("UpdateItem") + http.count("GetItem");
    }

    @Test
    void rejectsToChooseAmongSeveralStores() {
        withStores(one -> {}, other -> {}).run(context -> {
            InvalidLockPropertyException failure = StartFailure.of(context, InvalidLockPropertyException.class);

            assertThat(failure.problem())
                    .isEqualTo("There is more than one LockStore bean, and none of them is primary ([one, other])");
            assertThat(failure.remedy())
                    .contains("Mark the one of the default lock manager as @Primary")
                    .contains("declare the others with @Bean(defaultCandidate = false).");
        });
        withStores(one -> one.setPrimary(true), other -> other.setPrimary(true))
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class)
                                .problem())
                        .startsWith("There is more than one primary LockStore bean (")
                        .contains("[one, other]"));
    }

    @Test
    void takesTheOneOfSeveralStoresThatIsMeant() {
        for (ApplicationContextRunner stores : List.of(
                withStores(one -> one.setPrimary(true), other -> {}), withStores(one -> {}, TestClients::byNameOnly))) {
            stores.run(context -> assertThat(context.getBean(LockManager.class).diagnostics())
                    .map(LockDiagnostics::store)
                    .contains(context.getBean("one", LockStore.class)));
        }
    }

    private ApplicationContextRunner withStores(BeanDefinitionCustomizer one, BeanDefinitionCustomizer other) {
        return contexts.withBean("one", LockStore.class, InMemoryLockStore::new, one)
                .withBean("other", LockStore.class, InMemoryLockStore::new, other);
    }

    @Test
    void retriesAsThePolicyOfTheApplicationSays() {
        contexts.withBean(DynamoDbClient.class, () -> TestClients.client(http))
                .withBean(RetryPolicy.class, () -> (attempts, failure) -> null)
                .run(context -> {
                    http.forget();
                    http.always(Fault.throttle());

                    assertThatExceptionOfType(LockStoreException.class)
                            .isThrownBy(() -> context.getBean(LockManager.class).tryAcquire("job"));

                    assertThat(attempts()).isEqualTo(1);
                    http.always(Fault.none());
                });
    }

    @Test
    void retriesAsThePropertiesSay() {
        contexts.withBean(DynamoDbClient.class, () -> TestClients.client(http))
                .withPropertyValues("dynamolock.retry.max-attempts=5", "dynamolock.retry.base-delay=1ms")
                .run(context -> {
                    http.forget();
                    http.always(Fault.throttle());

                    assertThatExceptionOfType(LockStoreException.class)
                            .isThrownBy(() -> context.getBean(LockManager.class).tryAcquire("job"));

                    assertThat(attempts()).isEqualTo(5);
                    http.always(Fault.none());
                });
    }

    @Test
    void notifiesEveryListenerOfTheApplication() {
        contexts.withPropertyValues("dynamolock.store=memory")
                .withBean("one", Locking.class)
                .withBean("other", LockListener.class, Locking::new)
                .run(context -> {
                    context.getBean(LockManager.class)
                            .tryAcquire("job")
                            .orElseThrow()
                            .release();

                    assertThat(context.getBean("one", Locking.class).events()).containsExactly("+job", "-job");
                    assertThat(context.getBean("other", Locking.class).events()).containsExactly("+job", "-job");
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {ListenerOfCircle.class, ListenerInBackground.class})
    void leavesFailureOfListenerWithoutManagerAsItIs(Class<?> application) {
        contexts.withPropertyValues("dynamolock.store=memory")
                .withUserConfiguration(application)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageNotContaining("depends on a LockManager")
                        .rootCause()
                        .isInstanceOf(BeanCurrentlyInCreationException.class));
    }

    @Test
    void usesOwnerAndPrefix() {
        contexts.withPropertyValues("dynamolock.store=memory", "dynamolock.owner=me", "dynamolock.name-prefix=app:")
                .run(context -> {
                    Lease lease =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

                    assertThat(lease.owner()).isEqualTo("me");
                    assertThat(context.getBean(LockStore.class)
                                    .read("app:job", true, Duration.ofSeconds(1))
                                    .row())
                            .isNotNull();
                });
    }

    @Test
    @ExtendWith(LogCapture.class)
    void keepsLocksInMemoryWithAWarning(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.store=memory").run(context -> {
            assertThat(context.getBean(LockStore.class)).isInstanceOf(InMemoryLockStore.class);
            assertThat(output.getOut())
                    .containsOnlyOnce(
                            "dynamolock.store=memory: locks are kept in this application context. They exclude neither other"
                                    + " processes nor other contexts");
            assertThat(context).doesNotHaveBean(DynamoDbClient.class);
        });
    }

    @Test
    @ExtendWith(LogCapture.class)
    void warningAboutMemoryNamesTheStoreToShare(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.store=memory", "dynamolock.managers.billing.lease.duration=20s")
                .withBean(InMemoryLockStore.class)
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut()).contains("unless these share an InMemoryLockStore bean named billingLockStore");
    }

    @Test
    @ExtendWith(LogCapture.class)
    void memoryReportsThatItHonorsNoOtherLibrary(CapturedOutput output) {
        contexts.withPropertyValues(
                        "dynamolock.store=memory",
                        "dynamolock.managers.moving.table.honor=shedlock",
                        "dynamolock.managers.moving.store=memory")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output.getOut())
                .containsOnlyOnce("has no effect with")
                .contains("dynamolock.managers.moving.table.honor has no effect with"
                        + " dynamolock.managers.moving.store=memory: ");
    }

    @Test
    void backsOffIfDisabled() {
        contexts.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LockStore.class)
                        .doesNotHaveBean(DynamoDbClient.class));
    }

    @Test
    @ExtendWith(LogCapture.class)
    void keepsNoBeanFromBeingProcessed(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(output.getOut()).doesNotContain("not eligible"));
    }

    static class WantsClient {

        final @Nullable DynamoDbClient injected;

        WantsClient(ObjectProvider<DynamoDbClient> clients) {
            injected = clients.getIfAvailable();
        }
    }

    /** What the listener needs is circular, without a lock manager. */
    @Configuration(proxyBeanMethods = false)
    static class ListenerOfCircle {

        @Bean
        Object first(LockManager locks) {
            return "locks by " + locks;
        }

        @Bean
        LockListener listener(@Qualifier("one") Object one) {
            return new Locking();
        }

        @Bean
        Object one(@Qualifier("other") Object other) {
            return "one of " + other;
        }

        @Bean
        Object other(@Qualifier("one") Object one) {
            return "other of " + one;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ListenerInBackground {

        @Bean
        Object first(LockManager locks) {
            return "locks by " + locks;
        }

        @Bean(bootstrap = Bean.Bootstrap.BACKGROUND)
        LockListener listener() {
            return new Locking();
        }

        @Bean
        Executor bootstrapExecutor() {
            return new SimpleAsyncTaskExecutor();
        }
    }

    @AutoConfiguration(after = DynamolockAutoConfiguration.class)
    static class LateClient {

        private final FaultyHttpClient http = TestClients.http();

        @Bean
        @ConditionalOnMissingBean
        DynamoDbClient lateClient() {
            return TestClients.client(http);
        }
    }

    /** Spring Boot's support of Testcontainers lets such beans register them just before singletons are created. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        TestcontainersPropertySourceAutoConfiguration.class,
        DynamolockAutoConfiguration.class,
        DistributedLockAutoConfiguration.class
    })
    static class RegisteredProperties {

        @Bean
        DynamicPropertyRegistrar properties() {
            return properties -> properties.add("dynamolock.owner", () -> "me");
        }
    }
}
