/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.StartFailure;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Leader-only beans that another post-processor replaces before their proxy is made, or wraps afterwards. */
class LeaderProxyTests {

    private final AtomicInteger ran = new AtomicInteger();
    private final ApplicationContextRunner followers = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
            .withBean(Leadership.class, Follower::new);

    @Test
    void beanThatIsReplacedBeforeItsProxyFailsTheStartup() {
        followers
                .withBean(ReplacesEarly.class)
                .withBean("work", Runnable.class, () -> new Work(ran))
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Work.run: bean 'work' has no proxy")
                        .hasMessageContaining("replaced by another bean post-processor"));
    }

    @Test
    void prototypeThatIsReplacedBeforeItsProxyFailsTheStartup() {
        followers
                .withBean(ReplacesEarly.class)
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setScope("prototype"))
                .withBean(NeedsWork.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidOnlyOnLeaderException.class))
                        .hasMessageContaining("Work.run: bean 'work' has no proxy"));
    }

    @Test
    void lazyBeanThatIsReplacedBeforeItsProxyIsNotCreated() {
        followers
                .withBean(ReplacesEarly.class)
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setLazyInit(true))
                .run(context -> assertThatThrownBy(() -> context.getBean("work"))
                        .hasMessageContaining("Work.run: bean 'work' has no proxy"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void beanThatIsWrappedAfterwardsIsSkipped(boolean lazy) {
        followers
                .withBean(WrapsLate.class)
                .withBean("work", Runnable.class, () -> new Work(ran), definition -> definition.setLazyInit(lazy))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean("work", Runnable.class).run();

                    assertThat(ran).hasValue(0);
                });
    }

    record Follower() implements Leadership {

        @Override
        public String name() {
            return "leader";
        }

        @Override
        public boolean isLeader() {
            return false;
        }

        @Override
        public Optional<Lease> lease() {
            return Optional.empty();
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

    record NeedsWork(Runnable work) {}

    record Wrapper(Runnable wrapped) implements Runnable {

        @Override
        public void run() {
            wrapped.run();
        }
    }

    /** Runs before proxies are made. */
    static class ReplacesEarly implements BeanPostProcessor, PriorityOrdered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Work work ? new Wrapper(work) : bean;
        }

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    /** Runs after proxies were made. */
    static class WrapsLate implements BeanPostProcessor, Ordered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Work work ? new Wrapper(work) : bean;
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }
}
