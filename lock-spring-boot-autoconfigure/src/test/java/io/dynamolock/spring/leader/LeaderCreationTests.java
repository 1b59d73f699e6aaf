/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.ReplacedBeans;
import io.dynamolock.spring.SlowCreation;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Leader-only beans that another thread creates, or that a proxy calls whose target may change. */
class LeaderCreationTests {

    private final AtomicInteger ran = new AtomicInteger();
    private final ApplicationContextRunner followers = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
            .withBean(Leadership.class, Follower::new);

    @Test
    void beanBehindTargetSourceIsSkipped() {
        followers
                .withBean("work", Work.class, () -> new Work(ran))
                .withUserConfiguration(Swappable.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean("task", Runnable.class).run();

                    assertThat(ran).hasValue(0);
                });
    }

    /** A lazy leadership, which nobody has asked before. */
    @Test
    void beanThatIsCalledAfterTheEndOfTheContextIsSkipped() {
        AtomicInteger created = new AtomicInteger();
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withBean(
                        Leadership.class,
                        () -> {
                            created.incrementAndGet();
                            return new Follower();
                        },
                        bean -> bean.setLazyInit(true))
                .withBean("work", Runnable.class, () -> new Work(ran))
                .run(context -> {
                    Runnable work = context.getBean(Runnable.class);
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .close();

                    work.run();

                    assertThat(ran).hasValue(0);
                    assertThat(created).hasValue(0);
                });
    }

    /** A proxy that is not made yet is not missing. */
    @ParameterizedTest
    @ValueSource(strings = {"prototype", "singleton"})
    void beanThatIsStillBeingCreatedIsAccepted(String scope) {
        SlowCreation creation = new SlowCreation();
        followers
                .withAllowCircularReferences(true)
                .withBean("work", Runnable.class, () -> new SlowWork(ran, creation), definition -> {
                    definition.setScope(scope);
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "work")
                .run(context -> {
                    creation.end();
                    assertThat(context).hasNotFailed();
                    context.getBean(SlowCreation.OnAnotherThread.class)
                            .bean(Runnable.class)
                            .run();

                    assertThat(ran).hasValue(0);
                });
    }

    /** Spring makes the proxy on the thread that asks for the bean, and uses it for all. */
    @Test
    void beanThatAnotherThreadGetsEarlyIsAccepted() {
        SlowCreation creation = new SlowCreation();
        followers
                .withAllowCircularReferences(true)
                .withBean("work", Runnable.class, () -> new SlowWork(ran, creation), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "work")
                .run(context -> {
                    Object early = context.getBean("work");
                    creation.end();
                    Runnable work =
                            context.getBean(SlowCreation.OnAnotherThread.class).bean(Runnable.class);
                    work.run();

                    assertThat(work).isSameAs(early);
                    assertThat(ran).hasValue(0);
                });
    }

    /** Another thread may get it as soon as it is instantiated, before the others see it. */
    @Test
    void beanThatAnotherThreadGetsBeforeItsInjectionIsAccepted() {
        SlowCreation creation = new SlowCreation();
        followers
                .withAllowCircularReferences(true)
                .withBean(SlowInjection.class, () -> new SlowInjection(creation))
                .withBean("work", Work.class, () -> new Work(ran), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "work")
                .run(context -> {
                    Object early = context.getBean("work");
                    creation.end();

                    assertThat(context.getBean(SlowCreation.OnAnotherThread.class)
                                    .bean(Runnable.class))
                            .isSameAs(early);
                });
    }

    @Test
    void earlyProxyOfFailedCreationDoesNotCount() {
        SlowCreation creation = new SlowCreation();
        AtomicBoolean fails = new AtomicBoolean(true);
        followers
                .withAllowCircularReferences(true)
                .withBean(
                        ReplacedBeans.Early.class,
                        () -> ReplacedBeans.Early.of(Work.class, work -> (Runnable) ran::incrementAndGet))
                .withBean("work", Work.class, () -> new FailingWork(ran, creation, fails), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "work")
                .run(context -> {
                    assertThat(context.getBean("work")).isInstanceOf(Advised.class);
                    creation.end();
                    SlowCreation.OnAnotherThread failed = context.getBean(SlowCreation.OnAnotherThread.class);
                    assertThatThrownBy(() -> failed.bean(Runnable.class)).hasRootCauseMessage("first");
                    fails.set(false);

                    assertThatThrownBy(() -> context.getBean("work"))
                            .rootCause()
                            .hasMessageContaining("bean 'work' was replaced by");
                });
    }

    /** Spring asks for the order of several advisors when it makes a proxy, where it creates no other bean. */
    /** The beans of the library are created afterwards. */
    @Test
    void beanThatIsCreatedInTheBackgroundIsLockedAndSkipped() {
        CountDownLatch created = new CountDownLatch(1);
        Executor background = new SimpleAsyncTaskExecutor();
        followers
                .withBean(
                        "bootstrapExecutor",
                        Executor.class,
                        () -> creation -> background.execute(() -> {
                            creation.run();
                            created.countDown();
                        }))
                .withBean(
                        LockedWork.class,
                        () -> new LockedWork(ran),
                        definition -> ((AbstractBeanDefinition) definition).setBackgroundInit(true))
                .withBean("after", Object.class, () -> {
                    Locking.await(created);
                    return new Object();
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LockedWork work = context.getBean(LockedWork.class);
                    work.run();
                    work.locked();

                    assertThat(ran).hasValue(0);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
                });
    }

    private record SlowInjection(SlowCreation creation) implements InstantiationAwareBeanPostProcessor {

        @Override
        public boolean postProcessAfterInstantiation(Object bean, String name) {
            if (bean instanceof Work) {
                creation.await();
            }
            return true;
        }
    }

    static class FailingWork extends SlowWork {

        private final AtomicBoolean fails;

        FailingWork(AtomicInteger ran, SlowCreation creation, AtomicBoolean fails) {
            super(ran, creation);
            this.fails = fails;
        }

        @Override
        @PostConstruct
        void open() {
            super.open();
            if (fails.get()) {
                throw new IllegalStateException("first");
            }
        }
    }

    static class LockedWork extends Work {

        LockedWork(AtomicInteger ran) {
            super(ran);
        }

        @DistributedLock("work")
        public void locked() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Swappable {

        @Bean
        Runnable task(Work work) {
            return ProxyFactory.getProxy(Runnable.class, new HotSwappableTargetSource(work));
        }
    }

    static class SlowWork extends Work {

        private final SlowCreation creation;

        SlowWork(AtomicInteger ran, SlowCreation creation) {
            super(ran);
            this.creation = creation;
        }

        @PostConstruct
        void open() {
            creation.await();
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
}
