/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.PackagePrivateWork;
import io.dynamolock.spring.StartFailure;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ReflectionUtils;

/** Init, destroy and callback methods that Spring also starts as work, and methods that only look like one of them. */
class InitMethodWorkTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();

    @Test
    void isLockedOnSchedule() {
        CountDownLatch fills = new CountDownLatch(2);
        contexts.withUserConfiguration(Scheduling.class)
                .withBean(ScheduledCache.class, fills)
                .run(context -> {
                    Locking.await(fills);

                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("cache");
                });
    }

    static Stream<Arguments> started() {
        return Stream.of(
                Arguments.of(Reloaded.class, "reload"),
                Arguments.of(Repeated.class, "fill"),
                Arguments.of(Heir.class, "handle"),
                Arguments.of(InitializedOnSchedule.class, "afterPropertiesSet"),
                Arguments.of(Books.class, "close"),
                Arguments.of(Restarted.class, "start"));
    }

    /** Whatever else calls it. */
    @ParameterizedTest
    @MethodSource("started")
    void isLockedIfSpringStartsIt(Class<?> type, String method) {
        contexts.withBean("bean", type).run(context -> {
            assertThat(context).hasNotFailed();
            Object bean = context.getBean("bean");
            ReflectionUtils.invokeMethod(
                    Objects.requireNonNull(ReflectionUtils.findMethod(bean.getClass(), method)), bean);

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type");
        });
    }

    /** It looks like a property that Spring sets before it runs the job. */
    @Test
    void isLockedIfEventStartsIt() {
        contexts.withBean(TenantJob.class).run(context -> {
            context.publishEvent("shop");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type");
        });
    }

    @Test
    void isLockedIfSpringAlsoCallsItByItsName() {
        contexts.withUserConfiguration(NamedInit.class).run(context -> {
            context.getBean(ByName.class).fill();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type");
        });
    }

    /** Spring calls it on the proxy to start the bean of each process. */
    @Test
    void isNotLockedIfListenerStartsLifecycle() {
        contexts.withBean(Poller.class).run(context -> {
            context.publishEvent("go");

            assertThat(context.getBean(Poller.class).isRunning()).isTrue();
            assertThat(context.getBean(Locking.class).acquired()).isEmpty();
        });
    }

    /** A package-private or private method is not overridden in another package. */
    @Test
    void isLockedIfItOnlyHasTheNameOfOne() {
        contexts.withBean(Namesakes.class).withBean(LockedNamesake.class).run(context -> {
            assertThat(context).hasNotFailed();

            context.getBean(Namesakes.class).open();
            context.getBean(Namesakes.class).fill();
            context.getBean(Namesakes.class).clear();
            context.getBean(LockedNamesake.class).open();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("type", "type", "type", "method");
        });
    }

    /** A class between them has made the init method public. */
    @Test
    void isRefusedIfItOverridesOneOfAnotherPackage() {
        contexts.withBean(LockedOverride.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(
                                "LockedOverride.open: Spring calls an injection, init or destroy method"));
    }

    /** Spring does not schedule an override without an annotation of its own. */
    @Test
    void isNoWorkIfOnlyTheOverriddenMethodIsScheduled() {
        contexts.withBean(NotScheduled.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(NotScheduled.class.getName() + ": ")
                        .hasMessageContaining("would lock none of its methods"));
    }

    /** By the annotation of a method that it implements or overrides. */
    @ParameterizedTest
    @ValueSource(classes = {Implementing.class, Overriding.class})
    void isRefusedIfItInheritsItsLock(Class<?> type) {
        contexts.withBean(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(
                                type.getSimpleName() + ".run: Spring calls an injection, init or destroy"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @DistributedLock("cache")
    static class ScheduledCache {

        private final CountDownLatch fills;

        ScheduledCache(CountDownLatch fills) {
            this.fills = fills;
        }

        @PostConstruct
        @Scheduled(fixedDelay = 60_000)
        public void fill() {
            fills.countDown();
        }

        public void evict() {}
    }

    @DistributedLock("type")
    static class Reloaded {

        @PostConstruct
        @EventListener(String.class)
        public void reload() {}
    }

    @DistributedLock("type")
    static class Repeated {

        @PostConstruct
        @Scheduled(cron = "0 0 3 * * *")
        @Scheduled(cron = "0 0 15 * * *")
        public void fill() {}
    }

    static class Handler {

        @EventListener(String.class)
        public void handle() {}
    }

    /** Spring finds the annotation of the method that it overrides. */
    @DistributedLock("type")
    static class Heir extends Handler {

        @Override
        @PreDestroy
        public void handle() {}
    }

    static class ScheduledBase {

        @Scheduled(cron = "0 0 3 * * *")
        public void fill() {}
    }

    @DistributedLock("type")
    static class NotScheduled extends ScheduledBase {

        @Override
        @PostConstruct
        public void fill() {}
    }

    @DistributedLock("type")
    static class InitializedOnSchedule implements InitializingBean {

        @Override
        @Scheduled(cron = "0 0 3 * * *")
        public void afterPropertiesSet() {}
    }

    @DistributedLock("type")
    static class Books implements AutoCloseable {

        @Override
        @EventListener(String.class)
        public void close() {}
    }

    @DistributedLock("type")
    static class TenantJob implements Job {

        @Override
        public void execute(JobExecutionContext unused) {}

        @EventListener
        public void setUp(String unused) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedInit {

        @Bean(initMethod = "fill")
        ByName byName() {
            return new ByName();
        }
    }

    @DistributedLock("type")
    static class ByName {

        @Scheduled(cron = "0 0 3 * * *")
        public void fill() {}
    }

    @DistributedLock("type")
    static class Poller implements SmartLifecycle {

        private boolean running;

        @Override
        public boolean isAutoStartup() {
            return false;
        }

        @Override
        @EventListener(String.class)
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        public void poll() {}
    }

    @DistributedLock("type")
    static class Restarted extends Poller {

        @Override
        @Scheduled(cron = "0 0 3 * * *")
        public void start() {}
    }

    @DistributedLock("type")
    static class Namesakes extends PackagePrivateWork.Initialized {

        public void open() {}

        public void fill() {}

        public void clear() {}
    }

    static class LockedNamesake extends PackagePrivateWork.Initialized {

        @DistributedLock("method")
        public void open() {}
    }

    static class LockedOverride extends PackagePrivateWork.InitializedInPublic {

        @Override
        @DistributedLock("method")
        public void open() {}
    }

    interface Locked extends Runnable {

        @Override
        @DistributedLock("job")
        void run();
    }

    static class Implementing implements Locked {

        @Override
        @PostConstruct
        public void run() {}
    }

    abstract static class Base {

        @DistributedLock("job")
        public abstract void run();
    }

    static class Overriding extends Base {

        @Override
        @PostConstruct
        public void run() {}
    }
}
