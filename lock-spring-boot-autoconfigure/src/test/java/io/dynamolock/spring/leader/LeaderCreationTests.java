/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.SlowCreation;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import jakarta.annotation.PostConstruct;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.HotSwappableTargetSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
