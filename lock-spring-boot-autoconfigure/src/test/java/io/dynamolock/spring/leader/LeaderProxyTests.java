/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.ReplacedBeans;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.ThreadScope;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Leader-only beans whose proxy is not made yet, hidden by a wrapper, or missing. */
class LeaderProxyTests {

    private final AtomicInteger ran = new AtomicInteger();
    private final ApplicationContextRunner followers = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
            .withBean(Leadership.class, Follower::new);

    @Test
    void beanThatIsReplacedBeforeItsProxyFailsTheStartup() {
        followers
                .withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Runnable.class, () -> new Work(ran))
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Work.run: bean 'work' was replaced by a " + Wrapper.class.getName()));
    }

    @Test
    void prototypeThatIsReplacedBeforeItsProxyFailsTheStartup() {
        followers
                .withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setScope("prototype"))
                .withBean(NeedsWork.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Work.run: bean 'work' was replaced"));
    }

    @Test
    void prototypeWhoseProxyLacksTheMethodFailsTheStartup() {
        followers
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("work", Runnable.class, () -> new MoreWork(ran), definition -> {
                    definition.setScope("prototype");
                })
                .withBean(NeedsWork.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("MoreWork.more: the proxy implements interfaces only"));
    }

    @Test
    void lazyBeanThatIsReplacedBeforeItsProxyIsNotCreated() {
        followers
                .withBean(ReplacedBeans.Early.class, () -> ReplacedBeans.Early.of(Work.class, Wrapper::new))
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setLazyInit(true))
                .run(context -> assertThatThrownBy(() -> context.getBean("work"))
                        .hasMessageContaining("Work.run: bean 'work' was replaced"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void beanThatIsWrappedAfterwardsIsSkipped(boolean lazy) {
        followers
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.of(Runnable.class, Wrapper::new))
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setLazyInit(lazy))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean("work", Runnable.class).run();

                    assertThat(ran).hasValue(0);
                });
    }

    @Test
    void beanThatLosesItsProxyFailsTheStartup() {
        followers
                .withBean(ReplacedBeans.Late.class, () -> ReplacedBeans.Late.unwrapping(Runnable.class))
                .withBean("work", Runnable.class, () -> new Work(ran))
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Work.run: bean 'work' has no proxy"));
    }

    /** The proxy of one instance says nothing about another. */
    @Test
    void laterPrototypeThatIsReplacedIsNotCreated() {
        AtomicInteger made = new AtomicInteger();
        followers
                .withBean(
                        ReplacedBeans.Early.class,
                        () -> ReplacedBeans.Early.of(
                                Work.class, work -> made.getAndIncrement() > 0 ? new Wrapper(work) : work))
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setScope("prototype"))
                .run(context -> {
                    context.getBean("work", Runnable.class).run();

                    assertThatThrownBy(() -> context.getBean("work")).hasMessageContaining("Work.run: bean 'work'");
                    assertThat(ran).hasValue(0);
                });
    }

    /** Whose class is one of the annotation, too, or a subclass. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void beanThatObjectWithTheAnnotationWrapsIsSkipped(boolean lazy, boolean subclass) {
        followers
                .withBean(
                        ReplacedBeans.Late.class,
                        () -> ReplacedBeans.Late.of(
                                Contract.class,
                                work -> subclass ? new SubclassWrapper(ran, work) : new FinalWrapper(work)))
                .withBean(
                        "work", Contract.class, () -> new ContractWork(ran), definition -> definition.setLazyInit(lazy))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean("work", Contract.class).lead();

                    assertThat(ran).hasValue(0);
                });
    }

    @Test
    void lazyBeanWhoseEarlyProxyIsNotUsedIsNotCreated() {
        followers
                .withAllowCircularReferences(true)
                .withUserConfiguration(Asynchronous.class)
                .withBean("work", LooksItselfUp.class, () -> new LooksItselfUp(ran), definition -> {
                    definition.setLazyInit(true);
                })
                .run(context -> assertThatThrownBy(() -> context.getBean("work"))
                        .hasMessageContaining("LooksItselfUp.lead: bean 'work' has no proxy"));
    }

    @Test
    void missingBeanIsAccepted() {
        followers
                .withUserConfiguration(Absent.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void beanWhoseCreationFailedIsAccepted() {
        followers
                .withBean(
                        "work", Runnable.class, () -> new FailingWork(ran), definition -> definition.setLazyInit(true))
                .withBean(AsksForWork.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Spring initializes the instances of test classes, and makes no proxies of them. */
    @Test
    void instanceOfTestIsAccepted() {
        followers.run(context -> {
            Object test = new Work(ran);
            String name = Work.class.getName() + AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX;

            assertThat(context.getAutowireCapableBeanFactory().initializeBean(test, name))
                    .isSameAs(test);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scopedBeanIsSkipped(boolean byClass) {
        followers
                .withPropertyValues("spring.aop.proxy-target-class=" + byClass)
                .withUserConfiguration(ThreadScope.class)
                .withBean("work", ScopedWork.class, ran)
                .withBean(NeedsScopedWork.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(ScopedWork.class).more();

                    assertThat(ran).hasValue(0);
                });
    }

    interface Contract {

        @OnlyOnLeader
        void lead();
    }

    static class ContractWork implements Contract {

        final AtomicInteger ran;

        ContractWork(AtomicInteger ran) {
            this.ran = ran;
        }

        @Override
        public void lead() {
            ran.incrementAndGet();
        }
    }

    static class Work implements Runnable {

        private final AtomicInteger ran;

        Work(AtomicInteger ran) {
            this.ran = ran;
        }

        @Override
        @OnlyOnLeader
        public void run() {
            ran.incrementAndGet();
        }
    }

    record FinalWrapper(Contract wrapped) implements Contract {

        @Override
        public void lead() {
            wrapped.lead();
        }
    }

    static class SubclassWrapper extends ContractWork {

        private final Contract wrapped;

        SubclassWrapper(AtomicInteger ran, Contract wrapped) {
            super(ran);
            this.wrapped = wrapped;
        }

        @Override
        public void lead() {
            wrapped.lead();
        }
    }

    static class MoreWork extends Work {

        MoreWork(AtomicInteger ran) {
            super(ran);
        }

        @OnlyOnLeader
        public void more() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    static class LooksItselfUp extends ContractWork {

        @Autowired
        private BeanFactory beans;

        LooksItselfUp(AtomicInteger ran) {
            super(ran);
        }

        @PostConstruct
        void open() {
            assertThat(beans.getBean("work")).isInstanceOf(LooksItselfUp.class);
        }

        @Async
        @Override
        public void lead() {
            super.lead();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Absent {

        @Bean
        @Nullable
        Work absent() {
            return null;
        }
    }

    static class FailingWork extends Work {

        FailingWork(AtomicInteger ran) {
            super(ran);
        }

        @PostConstruct
        void open() {
            throw new IllegalStateException("no connection");
        }
    }

    static class AsksForWork {

        AsksForWork(ObjectProvider<Runnable> work) {
            assertThatThrownBy(work::getObject).hasRootCauseMessage("no connection");
        }
    }

    @Scope(value = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedWork extends Work {

        private final AtomicInteger ran;

        ScopedWork(AtomicInteger ran) {
            super(ran);
            this.ran = ran;
        }

        @OnlyOnLeader
        public void more() {
            ran.incrementAndGet();
        }
    }

    record NeedsWork(Runnable work) {}

    record NeedsScopedWork(ScopedWork work) {}

    record Wrapper(Runnable wrapped) implements Runnable {

        @Override
        public void run() {
            wrapped.run();
        }
    }
}
