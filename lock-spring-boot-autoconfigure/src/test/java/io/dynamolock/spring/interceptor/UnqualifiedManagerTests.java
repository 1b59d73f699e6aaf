/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.boot.DistributedLockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** The lock manager of a method that names none is the one that constructors of the context get. */
class UnqualifiedManagerTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");
    private final ApplicationContextRunner beans = contexts.withBean(Work.class);

    @Test
    void isThatOfTheParentBesideOneWithAQualifierInTheChild() {
        contexts.run(parent -> beans.withParent(parent)
                .withUserConfiguration(Qualified.class)
                .run(child -> assertThat(usedBy(child)).isSameAs(parent.getBean("dynamolockManager"))));
    }

    @Test
    void isThatOfTheParentBesideANamedOneOfTheChild() {
        contexts.run(parent -> beans.withParent(parent)
                .withPropertyValues("dynamolock.managers.billing.table.name=billing-locks")
                .run(child -> assertThat(usedBy(child)).isSameAs(parent.getBean("dynamolockManager"))));
    }

    @Test
    void isThatOfTheParentInAChildThatCreatesItsBeansLazily() {
        contexts.run(parent -> beans.withParent(parent)
                .withUserConfiguration(Qualified.class)
                .withInitializer(
                        child -> child.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(child -> assertThat(usedBy(child)).isSameAs(parent.getBean("dynamolockManager"))));
    }

    @Test
    void isThePrimaryOneOfTheChildBeforeThatOfTheParent() {
        contexts.run(parent -> beans.withParent(parent)
                .withUserConfiguration(OwnPrimary.class)
                .run(child -> assertThat(usedBy(child)).isSameAs(child.getBean("own"))));
    }

    @Test
    void isNoFallback() {
        beans.withUserConfiguration(WithFallback.class)
                .run(context -> assertThat(usedBy(context)).isSameAs(context.getBean("own")));
    }

    @Test
    void isNotChosenByTheNameOfAParameter() {
        contexts.withBean(Job.class)
                .withUserConfiguration(Several.class)
                .run(
                        context -> assertThat(reports(context))
                                .containsExactly(
                                        "@DistributedLock on " + Job.class.getName()
                                                + ".work: there are several LockManager beans: locks, manager."
                                                + " Select one, for example with manager = \"locks\", or mark one of them as @Primary."));
    }

    @Test
    void mustBeSelectedIfNoneIsInjectedWithoutQualifier() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
                .withUserConfiguration(Qualified.class)
                .withBean(Job.class)
                .run(context -> assertThat(reports(context))
                        .containsExactly("@DistributedLock on " + Job.class.getName()
                                + ".work: no LockManager bean is injected without a qualifier, only with one: own."
                                + " Select one, for example with manager = \"own\"."));
    }

    @Test
    void isFoundInANativeImage() {
        RuntimeHints hints = new RuntimeHints();

        new LockRuntimeHints().registerHints(hints, null);

        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructorInvocation(BeanUtils.getResolvableConstructor(UnqualifiedManager.Injected.class)))
                .accepts(hints);
    }

    /** Returns the manager of the method, which is the one that the constructor of its bean got. */
    private static LockManager usedBy(ApplicationContext context) {
        Work work = context.getBean(Work.class);
        assertThat(work.heldByInjected()).containsExactly("job");
        return work.injected();
    }

    /** Returns the reports of all analyzers, because their order depends on that of the class path. */
    private static List<String> reports(AssertableApplicationContext context) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure());
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                                .and(Environment.class, new StandardEnvironment()),
                        FailureHandler.handleMessage((message, missingClass) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .map(analysis -> analysis.getDescription() + " " + analysis.getAction())
                .toList();
    }

    private static LockManager newManager() {
        return LockManager.builder(new InMemoryLockStore()).build();
    }

    static class Work {

        private final LockManager injected;

        Work(LockManager injected) {
            this.injected = injected;
        }

        public LockManager injected() {
            return injected;
        }

        @DistributedLock("job")
        public List<String> heldByInjected() {
            return injected.held().map(LockState::name).toList();
        }
    }

    static class Job {

        @DistributedLock("job")
        public void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Qualified {

        @Bean(defaultCandidate = false)
        LockManager own() {
            return newManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPrimary {

        @Bean
        @Primary
        LockManager own() {
            return newManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithFallback {

        @Bean
        LockManager own() {
            return newManager();
        }

        @Bean
        @Fallback
        LockManager reserve() {
            return newManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        LockManager manager() {
            return newManager();
        }

        @Bean
        LockManager locks() {
            return newManager();
        }
    }
}
