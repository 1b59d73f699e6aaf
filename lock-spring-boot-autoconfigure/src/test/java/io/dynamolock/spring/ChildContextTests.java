/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStore;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.boot.DynamolockDisabledAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockEndpointAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockHealthAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.dynamolock.spring.boot.TestClients;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint;
import io.dynamolock.spring.endpoint.DistributedLocksEndpoint.LocksDescriptor;
import io.dynamolock.spring.endpoint.LockDescriptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.ClassPathXmlApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Annotated beans of a child context, to which Spring does not apply the proxies of the parent, and its managers. */
@ExtendWith(LogCapture.class)
class ChildContextTests {

    private static final String BILLING = "dynamolock.managers.billing.table.name=billing-locks";

    private final ApplicationContextRunner parents =
            Locking.inMemory().withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class));

    @Test
    void annotatedBeanWithoutProxyIsRefused() {
        withChild(
                child -> child.withBean("job", Job.class),
                child -> assertThat(StartFailure.of(child, InvalidDistributedLockException.class))
                        .hasMessageContaining("@DistributedLock on " + Job.class.getName())
                        .hasMessageContaining("bean 'job' has no proxy")
                        .hasMessageContaining("a child context without an advisor of its own")
                        .hasMessageContaining("Add @EnableAutoConfiguration to the child context"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Job.class, ForLeader.class})
    void beanWithoutProxyIsRefusedIfListenersOfTheParentRunLater(Class<?> job) {
        Locking.withLateListeners(parents)
                .run(parent -> new ApplicationContextRunner()
                        .withParent(parent)
                        .withBean(job)
                        .run(child -> assertThat(child).getFailure().hasMessageContaining("has no proxy")));
    }

    @Test
    void lazyBeanWithoutProxyIsRefused() {
        withChild(
                child -> child.withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBean(Job.class, definition -> definition.setLazyInit(true))),
                child -> StartFailure.of(child, InvalidDistributedLockException.class));
    }

    @Test
    void creatorThatSeesOnlyAdvisorsOfItsContextDoesNotHelp() {
        withChild(
                child -> child.withBean(Job.class).withBean(InfrastructureAdvisorAutoProxyCreator.class),
                child -> StartFailure.of(child, InvalidDistributedLockException.class));
    }

    @Test
    void beanForLeaderWithoutProxyIsRefused() {
        withChild(
                child -> child.withBean("forLeader", ForLeader.class),
                child -> assertThat(child)
                        .getFailure()
                        .hasMessageContaining("@OnlyOnLeader on " + ForLeader.class.getName())
                        .hasMessageContaining("bean 'forLeader' has no proxy")
                        .hasMessageContaining("Add @EnableAutoConfiguration to the child context"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Job.class, ForLeader.class})
    void beanOfParentWithoutAdvisorIsRefused(Class<?> job) {
        new ApplicationContextRunner()
                .withBean("job", job)
                .run(parent -> parents.withParent(parent)
                        .run(child -> assertThat(child)
                                .getFailure()
                                .hasMessageContaining(job.getName())
                                .hasMessageContaining(
                                        "bean 'job' has no proxy: it is in a parent context without an advisor")
                                .hasMessageContaining(
                                        "Add @EnableAutoConfiguration to the parent context, or move the bean")));
    }

    @Test
    void beanOfParentWithAdvisorIsLocked() {
        parents.withBean(Job.class)
                .run(parent -> Locking.inMemory().withParent(parent).run(child -> {
                    child.getBean(Job.class).work();

                    assertThat(parent.getBean(Locking.class).acquired()).containsExactly("job");
                }));
    }

    @Test
    void childWithAutoConfigurationLocksByManagerOfItsParent() {
        parents.run(parent -> Locking.inMemory()
                .withParent(parent)
                .withBean(Job.class)
                .run(child -> {
                    child.getBean(Job.class).work();

                    assertThat(parent.getBean(Locking.class).acquired()).containsExactly("job");
                }));
    }

    @Test
    void advisorOfParentLocksBeansOfChildThatAppliesIt() {
        parents.run(parent -> new ApplicationContextRunner()
                .withParent(parent)
                .withBean(Job.class)
                .withBean(DefaultAdvisorAutoProxyCreator.class)
                .run(child -> {
                    child.getBean(Job.class).work();

                    assertThat(parent.getBean(Locking.class).acquired()).containsExactly("job");
                }));
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalJob.class, FinalForLeader.class})
    void beanThatTheAdvisorOfTheParentCannotInterceptIsRefused(Class<?> job) {
        parents.withPropertyValues("dynamolock.leader.name=leader")
                .run(parent -> new ApplicationContextRunner()
                        .withParent(parent)
                        .withBean(job)
                        .withBean(DefaultAdvisorAutoProxyCreator.class)
                        .run(child -> assertThat(child)
                                .getFailure()
                                .hasMessageContaining(job.getName() + ".work")
                                .hasMessageContaining("a proxy cannot override a final method")));
    }

    @ParameterizedTest
    @ValueSource(classes = {FinalJob.class, FinalForLeader.class})
    void lazyBeanThatTheAdvisorOfTheParentCannotInterceptIsRefusedOnItsCreation(Class<?> job) {
        parents.withPropertyValues("dynamolock.leader.name=leader")
                .run(parent -> new ApplicationContextRunner()
                        .withParent(parent)
                        .withInitializer(context -> ((GenericApplicationContext) context)
                                .registerBean(job, definition -> definition.setLazyInit(true)))
                        .withBean(DefaultAdvisorAutoProxyCreator.class)
                        .run(child -> assertThatThrownBy(() -> child.getBean(job))
                                .rootCause()
                                .hasMessageContaining(job.getName() + ".work")
                                .hasMessageContaining("a proxy cannot override a final method")));
    }

    @Test
    void beanOfGrandchildIsCheckedByTheNearestAdvisor() {
        parents.run(parent -> Locking.inMemory()
                .withParent(parent)
                .withPropertyValues(BILLING)
                .run(child -> new ApplicationContextRunner()
                        .withParent(child)
                        .withBean(Billing.class)
                        .withBean(DefaultAdvisorAutoProxyCreator.class)
                        .run(grandchild -> {
                            assertThat(grandchild).hasNotFailed();
                            grandchild.getBean(Billing.class).work();

                            assertThat(child.getBean(Locking.class).acquired()).containsExactly("bill");
                        })));
    }

    /** The parent needs no auto-configuration. */
    @Test
    void managerOfParentIsShownInTheChildThatObservesIt() {
        new ApplicationContextRunner()
                .withBean(
                        "shared",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                        .withConfiguration(AutoConfigurations.of(
                                EndpointAutoConfiguration.class,
                                DynamolockEndpointAutoConfiguration.class,
                                DynamolockHealthAutoConfiguration.class,
                                DynamolockMetricsAutoConfiguration.class))
                        .withPropertyValues("management.endpoints.web.exposure.include=distributedlocks")
                        .run(child -> {
                            Lease lease = parent.getBean(LockManager.class)
                                    .tryAcquire("job")
                                    .orElseThrow();

                            LocksDescriptor shown = (LocksDescriptor) child.getBean(DistributedLocksEndpoint.class)
                                    .locks(null, null);
                            assertThat(shown.managers()).containsOnlyKeys("shared");
                            assertThat(child.getBean(HealthIndicator.class).health())
                                    .extracting("status")
                                    .isEqualTo(Status.UP);
                            assertThat(child.getBean(MeterRegistry.class)
                                            .get("dynamolock.held")
                                            .tag("manager", "shared")
                                            .gauge()
                                            .value())
                                    .isEqualTo(1);
                            lease.release();
                        }));
    }

    @ParameterizedTest
    @CsvSource({"true, dynamolockManager", "false, 'billing, dynamolockManager'"})
    void managerOfChildIsInItsHealthUnlessParentHasOne(boolean ofParent, String shown) {
        AutoConfigurations health = AutoConfigurations.of(DynamolockHealthAutoConfiguration.class);
        parents.withConfiguration(health)
                .withPropertyValues("management.health.dynamolock.enabled=" + ofParent)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withConfiguration(health)
                        .withPropertyValues(BILLING, "management.health.dynamolock.enabled=true")
                        .run(child -> {
                            HealthContributor found = child.getBean(HealthContributor.class);
                            assertThat(
                                            found instanceof CompositeHealthContributor all
                                                    ? all.stream()
                                                            .map(HealthContributors.Entry::name)
                                                            .sorted()
                                                            .toList()
                                                    : List.of("dynamolockManager"))
                                    .isEqualTo(List.of(shown.split(", ")));
                            assertThat(child.getBeanFactory().containsLocalBean("dynamolockHealthContributor"))
                                    .isEqualTo(!ofParent);
                        }));
    }

    /** Also if only the child observes them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaseOfParentIsShownAtRiskInItsChild(boolean parentHasHealth) {
        AutoConfigurations health = AutoConfigurations.of(DynamolockHealthAutoConfiguration.class);
        Locking.quick()
                .withConfiguration(health)
                .withPropertyValues(
                        "dynamolock.lease.duration=10m", "management.health.dynamolock.enabled=" + parentHasHealth)
                .withBean(FailingRenewals.class)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withConfiguration(health)
                        .withConfiguration(AutoConfigurations.of(
                                EndpointAutoConfiguration.class, DynamolockEndpointAutoConfiguration.class))
                        .withPropertyValues(
                                BILLING,
                                "management.health.dynamolock.enabled=true",
                                "management.endpoints.web.exposure.include=distributedlocks")
                        .run(child -> {
                            Lease lease = parent.getBean(LockManager.class)
                                    .tryAcquire("job")
                                    .orElseThrow();
                            Lease other = child.getBean("billing", LockManager.class)
                                    .tryAcquire("other")
                                    .orElseThrow();
                            Awaitility.await().until(() -> lease.state() == LeaseState.AT_RISK);

                            DistributedLocksEndpoint endpoint = child.getBean(DistributedLocksEndpoint.class);
                            Awaitility.await()
                                    .untilAsserted(() -> assertThat(((LocksDescriptor) endpoint.locks(null, null))
                                                    .managers()
                                                    .get("dynamolockManager"))
                                            .singleElement()
                                            .extracting(LockDescriptor::state)
                                            .isEqualTo("AT_RISK"));
                            assertThat(other.isHeld()).isTrue();
                            assertThat(atRisk(child)).isEqualTo(1);
                        }));
    }

    private static @Nullable Object atRisk(AssertableApplicationContext context) {
        HealthContributor all = context.getBean(HealthContributor.class);
        HealthContributor one = all instanceof CompositeHealthContributor several
                ? Objects.requireNonNull(several.getContributor("dynamolockManager"))
                : all;
        Health health = Objects.requireNonNull(((HealthIndicator) one).health());
        return health.getDetails().get("atRisk");
    }

    @Test
    void namedManagerOfParentIsNotCreatedAgain() {
        parents.withPropertyValues(BILLING)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withPropertyValues(BILLING)
                        .withBean(Billing.class)
                        .run(child -> {
                            assertThat(child.getBean("billing")).isSameAs(parent.getBean("billing"));

                            child.getBean(Billing.class).work();

                            assertThat(parent.getBean(Locking.class).acquired()).containsExactly("bill");
                        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void managerThatParentDoesNotHaveIsCreated(boolean otherBean) {
        (otherBean ? parents.withBean("billing", Plain.class) : parents)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withPropertyValues(BILLING)
                        .run(child -> assertThat(child.getBean("billing")).isInstanceOf(LockManager.class)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"billingLockStore", "billingDynamoDbClient"})
    void managerWithStoreOrClientOfChildIsCreated(String own) {
        InMemoryLockStore store = new InMemoryLockStore();
        parents.withPropertyValues(BILLING)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withPropertyValues(BILLING)
                        .withBean(own, LockStore.class, () -> store, TestClients::byNameOnly)
                        .run(child -> assertThat(child.getBean("billing")).isNotSameAs(parent.getBean("billing"))));
    }

    @Test
    void unusedStoreOfChildIsReported(CapturedOutput output) {
        assertWarns(output, Function.identity(), true);
    }

    @Test
    void usedStoreOfChildIsNotReported(CapturedOutput output) {
        assertWarns(output, child -> child.withBean("own", LockManager.class, LockManager::unlocked), false);
    }

    private void assertWarns(
            CapturedOutput output,
            Function<ApplicationContextRunner, ApplicationContextRunner> more,
            boolean expected) {
        parents.withPropertyValues(BILLING)
                .run(parent -> more.apply(Locking.inMemory()
                                .withParent(parent)
                                .withPropertyValues(BILLING)
                                .withBean("other", LockStore.class, InMemoryLockStore::new)
                                .withBean("billingLockStore", LockStore.class, InMemoryLockStore::new))
                        .run(child -> {
                            assertThat(child).hasNotFailed();
                            assertThat(
                                            output.getOut()
                                                    .contains(
                                                            "The LockStore bean 'other' is not that of the default lock manager"))
                                    .isEqualTo(expected);
                            assertThat(output).doesNotContain("'billingLockStore' is not");
                        }));
    }

    @Test
    void managerThatChildDefinesLaterIsItsOwn() {
        LockManager own = LockManager.unlocked();
        parents.withPropertyValues(BILLING)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withPropertyValues(BILLING)
                        .withAllowBeanDefinitionOverriding(true)
                        .withInitializer(context ->
                                context.addBeanFactoryPostProcessor(beans -> ((BeanDefinitionRegistry) beans)
                                        .registerBeanDefinition(
                                                "billing", new RootBeanDefinition(LockManager.class, () -> own))))
                        .run(child -> assertThat(child.getBean("billing")).isSameAs(own)));
    }

    @ParameterizedTest
    @ValueSource(strings = {BILLING, "dynamolock.owner=child"})
    void childOfParentWithoutLocksMustNotExpectThem(String property) {
        parents.withConfiguration(AutoConfigurations.of(DynamolockDisabledAutoConfiguration.class))
                .withPropertyValues("dynamolock.enabled=false", property)
                .run(parent -> Locking.inMemory()
                        .withParent(parent)
                        .withPropertyValues("dynamolock.enabled=true", property)
                        .run(child -> assertThat(child)
                                .getFailure()
                                .hasMessageContaining(
                                        "dynamolock.enabled is true here, but false in the parent context")
                                .hasMessageContaining("Set the same value in both")));
    }

    /** The parent then learns of its start later. */
    @Test
    void childThatIsClosedBeforeItsParentHasStartedIsIgnored() {
        parents.withUserConfiguration(WithTemporaryChild.class)
                .run(parent -> assertThat(parent).hasNotFailed());
    }

    @Test
    void childIsClosedAndParentGoesOn() {
        parents.run(parent -> {
            new ApplicationContextRunner()
                    .withParent(parent)
                    .withBean(Plain.class)
                    .run(child -> assertThat(child).hasNotFailed());

            parent.getBean(LockManager.class).call(LockRequest.of("after"), lease -> "done");

            assertThat(parent.getBean(Locking.class).acquired()).containsExactly("after");
        });
    }

    private void withChild(
            Function<ApplicationContextRunner, ApplicationContextRunner> beans,
            Consumer<AssertableApplicationContext> check) {
        parents.run(parent ->
                beans.apply(new ApplicationContextRunner().withParent(parent)).run(check::accept));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTemporaryChild {

        @Bean
        static BeanFactoryPostProcessor temporaryChild(ApplicationContext parent) {
            return beans -> {
                ClassPathXmlApplicationContext child = new ClassPathXmlApplicationContext(new String[0], parent);
                child.close();
            };
        }
    }

    static class Job {

        @DistributedLock("job")
        public void work() {}
    }

    static class Billing {

        @DistributedLock(name = "bill", manager = "billing")
        public void work() {}
    }

    static class ForLeader {

        @OnlyOnLeader
        public void work() {}
    }

    static class Plain {}

    static class FinalJob {

        @DistributedLock("job")
        public final void work() {}
    }

    static class FinalForLeader {

        @OnlyOnLeader
        public final void work() {}
    }
}
