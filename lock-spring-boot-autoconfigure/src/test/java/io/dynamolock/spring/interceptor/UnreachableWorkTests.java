/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.kafka.listener.AbstractConsumerSeekAware;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.quartz.QuartzJobBean;
import org.springframework.web.bind.annotation.GetMapping;

/** Work that the proxy of its bean does not intercept, beside other methods of an annotated type or interface. */
@ExtendWith(LogCapture.class)
class UnreachableWorkTests {

    private final ApplicationContextRunner contexts = Locking.inMemory();
    private final ApplicationContextRunner interfaces =
            contexts.withPropertyValues("spring.aop.proxy-target-class=false");

    @Test
    void inFinalMethodOfSpringFailsTheStartup() {
        contexts.withBean(Nightly.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("Nightly.execute: a proxy cannot override a final method"));
    }

    /** Spring refuses others that are private. */
    @Test
    void inHiddenMethodWithAnnotationOfSpringIsWarnedOf(CapturedOutput output) {
        contexts.withBean(Orders.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("Orders does not lock its method show: a proxy cannot intercept a private method")
                    .contains("Orders does not lock its method tick: a proxy cannot intercept a static method")
                    .contains("Orders does not lock its method handle: a proxy cannot intercept a static method")
                    .contains("Orders does not lock its method ship: a proxy cannot intercept a private method")
                    .contains("Orders does not lock its method count: a proxy cannot intercept a private method")
                    .doesNotContain("its method helper");
        });
    }

    /** They only set or help what makes beans. */
    @ParameterizedTest
    @ValueSource(classes = {SetFactory.class, HelpedConfiguration.class})
    void inOtherBeansFailsTheStartupOfWhatMakesThem(Class<?> type) {
        contexts.withUserConfiguration(type)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(type.getName() + ": ")
                        .hasMessageContaining("would lock none of its methods")
                        .hasMessageContaining("annotate the class of that"));
    }

    @Test
    void ofWhatMakesBeansIsNotTakenForPropertiesOfIt() {
        contexts.withBean(SettlingConfiguration.class).run(context -> {
            context.publishEvent("end of day");
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("settling", "settling");
        });
    }

    @Test
    void ofConfigurationMayBeNamedLikeGetter() {
        contexts.withUserConfiguration(ReportConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(ReportConfiguration.class).getAndArchive())
                    .isEqualTo("report");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("report");
        });
    }

    @Test
    void inDestroyMethodThatSpringInfersFailsTheStartup() {
        contexts.withUserConfiguration(PoolConfiguration.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(Pool.class.getName() + ": ")
                        .hasMessageContaining("would lock none of its methods"));
    }

    @Test
    void inNoInterfaceOfProxyFailsTheStartup() {
        interfaces
                .withBean(OrderedWork.class)
                .run(
                        context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                                .hasMessageContaining(
                                        "OrderedWork.work: the proxy implements interfaces only, and none of them declares the method"));
    }

    /** Nobody can call them on a proxy that implements interfaces. */
    @Test
    void ofSpringIsNoReasonToRefuseProxyThatDoesNotHaveIt() {
        interfaces.withBean(Poller.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Poll.class).poll();
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("poller");
        });
    }

    /** What no lock protects has no fallback: a helper, {@code toString}, or an init method. */
    @Test
    void withTheNameOfFallbackNeedsLockedMethodThatItIsFor() {
        contexts.withBean(Shipping.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("Shipping.skip: its fallback"));
    }

    /** It is locked, so that it needs a fallback itself. */
    @Test
    void thatSpringStartsIsNoFallback() {
        contexts.withBean(ScheduledFallback.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining("ScheduledFallback.skip: its fallback is the method itself, which the"
                                + " annotation of its type locks, because Spring starts it"));
    }

    /** The fallback of the method itself has one more parameter, and its name. */
    @ParameterizedTest
    @ValueSource(classes = {OverloadedWork.class, OverloadedType.class})
    void withTheNameOfItsFallbackIsLocked(Class<? extends Skipping> type) {
        contexts.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            Skipping bean = context.getBean(type);
            whileBusy(context, () -> assertThat(bean.skip(7)).isEqualTo("fallback"));
            assertThat(bean.skip(7)).isEqualTo("work");

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("work", "work");
        });
    }

    /** It has the parameters of a fallback, but returns nothing that could replace a result. */
    @Test
    void withTheParametersOfFallbackIsLocked() {
        contexts.withBean(Settling.class).run(context -> {
            assertThat(context).hasNotFailed();
            Settling bean = context.getBean(Settling.class);
            whileBusy(context, () -> assertThat(bean.settle()).isEqualTo("fallback"));
            bean.skip();

            assertThat(context.getBean(Locking.class).acquired()).containsExactly("work", "work");
        });
    }

    /** Its overload is the fallback of a method that has an annotation of its own. */
    @Test
    void isNotTheFallbackOfMethodWithItsOwnAnnotation() {
        contexts.withBean(Prices.class).run(context -> {
            assertThat(context).hasNotFailed();
            Prices prices = context.getBean(Prices.class);
            whileBusy(context, () -> {
                assertThat(prices.read("usd")).isEqualTo("cached usd");
                assertThat(prices.readAll()).isEqualTo("cached");
            });
            assertThat(context.getBean(Locking.class).acquired()).containsExactly("work");
        });
    }

    /** The annotation of a method replaces all but the manager of that of its type. */
    @Test
    void hasNoUseForAttributesOfTypeWithoutName() {
        contexts.withBean(Nameless.class)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(Nameless.class.getName() + ": the annotation of the type locks no method")
                        .hasMessageContaining("its leaseDuration, onBusy would have no effect. Set them in"));

        contexts.withBean(NamedForItsSubclasses.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void whileBusy(BeanFactory beans, Runnable action) {
        try (Lease other = beans.getBean(LockManager.class).tryAcquire("work").orElseThrow()) {
            assertThat(other.isHeld()).isTrue();
            action.run();
        }
    }

    @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "skip")
    static class ScheduledFallback {

        public void work() {}

        @Scheduled(fixedDelay = 1)
        public void skip() {}
    }

    @DistributedLock(manager = "dynamolockManager", leaseDuration = "5m", onBusy = OnBusy.SKIP)
    static class Nameless {

        @DistributedLock("work")
        public void work() {}
    }

    @DistributedLock(name = "work", leaseDuration = "5m")
    static class NamedForItsSubclasses {

        @DistributedLock("own-work")
        public void work() {}
    }

    interface Skipping {

        String skip(int orders);
    }

    static class OverloadedWork implements Skipping {

        @Override
        @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "skip")
        public String skip(int orders) {
            return "work";
        }

        String skip(int unused, LockBusyException busy) {
            return "fallback";
        }
    }

    @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "skip")
    static class OverloadedType implements Skipping {

        public String ship(String order) {
            return order;
        }

        String skip(String order) {
            return order;
        }

        @Override
        public String skip(int orders) {
            return "work";
        }

        String skip(int unused, LockState holder) {
            return "fallback";
        }
    }

    @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "skip")
    static class Settling {

        public String settle() {
            return "settled";
        }

        String skip(LockState unused) {
            return "fallback";
        }

        public void skip() {}
    }

    @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "cached")
    static class Prices {

        @DistributedLock(name = "work", onBusy = OnBusy.FALLBACK, fallback = "cached")
        public String read(String currency) {
            return currency;
        }

        public String readAll() {
            return "all";
        }

        String cached(String currency) {
            return "cached " + currency;
        }

        String cached() {
            return "cached";
        }
    }

    interface LockedJob extends Job {

        @Override
        @DistributedLock("nightly")
        void execute(@Nullable JobExecutionContext context) throws JobExecutionException;
    }

    static class Nightly extends QuartzJobBean implements LockedJob {

        @Override
        protected void executeInternal(@Nullable JobExecutionContext unused) {}
    }

    @DistributedLock("orders")
    @SuppressWarnings("UnusedMethod") // called by Spring
    static class Orders {

        @GetMapping("/orders")
        private String show() {
            return "orders";
        }

        @EventListener
        static void handle(String unused) {}

        @Scheduled(fixedDelay = 1)
        static void tick() {}

        @ServiceActivator(inputChannel = "orders")
        private void ship(String unused) {}

        @ReadOperation
        private int count() {
            return 1;
        }

        private static void helper() {}

        public void open() {
            helper();
        }
    }

    @DistributedLock("factory")
    static class SetFactory implements FactoryBean<Runnable> {

        public void setUrl(String unused) {}

        public String getUrl() {
            return "";
        }

        @Override
        public Runnable getObject() {
            return () -> {};
        }

        @Override
        public Class<?> getObjectType() {
            return Runnable.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @DistributedLock("definitions")
    static class HelpedConfiguration {

        @Bean
        @Scope("prototype")
        Object work() {
            return made();
        }

        Object made() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @DistributedLock("settling")
    static class SettlingConfiguration {

        @EventListener
        public void settle(String unused) {}

        @EventListener
        public void setUp(String unused) {}
    }

    @Configuration
    @DistributedLock("report")
    static class ReportConfiguration {

        public String getAndArchive() {
            return "report";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PoolConfiguration {

        @Bean
        Pool pool() {
            return new Pool();
        }
    }

    @DistributedLock("pool")
    static class Pool {

        public void shutdown() {}
    }

    @DistributedLock("ordered")
    static class OrderedWork implements Ordered {

        @Override
        public int getOrder() {
            return 1;
        }

        public void work() {}
    }

    interface Poll {

        void poll();
    }

    @DistributedLock("poller")
    static class Poller extends AbstractConsumerSeekAware implements Poll {

        @Override
        public void poll() {}
    }

    @DistributedLock(name = "shipping", onBusy = OnBusy.FALLBACK, fallback = "skip")
    static class Shipping {

        public String ship(String order) {
            return order;
        }

        String skip(String order) {
            return order;
        }

        public String skip() {
            return "work with the name of the fallback";
        }

        @Override
        public String toString() {
            return "shipping";
        }
    }
}
