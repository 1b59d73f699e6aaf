/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LeaseState;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStore;
import io.dynamolock.ReleaseOutcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.event.TransactionalEventListener;

/** Lock events that an application receives. */
class LockEventTests {

    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withPropertyValues("dynamolock.shutdown.grace-period=100ms")
            .withBean(Hearing.class)
            .withBean(Failing.class);

    @Test
    void reportAcquisitionAndRelease() {
        contexts.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            lease.release();

            assertThat(context.getBean(Hearing.class).events)
                    .hasExactlyElementsOfTypes(LockEvent.Acquired.class, LockEvent.Released.class)
                    .allSatisfy(event -> assertThat(event.lockName()).isEqualTo("job"))
                    .allSatisfy(event -> assertThat(((LockEvent.OfLease) event).fencingToken())
                            .isEqualTo(lease.fencingToken()));
        });
    }

    @Test
    void reportLossOnceWithReason() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            List<LockEvent> events = context.getBean(Hearing.class).events;
            LockRequest brief =
                    LockRequest.of("job").leaseDuration(Duration.ofMillis(150)).autoRenew(false);
            Lease lease = locks.tryAcquire(brief).orElseThrow();

            Awaitility.await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));

            assertThat(lease.isHeld()).isFalse();
            assertThat(events.stream().filter(LockEvent.Lost.class::isInstance))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(((LockEvent.Lost) event).loss().reason()).isEqualTo(Reason.EXPIRED));
        });
    }

    @Test
    void reportFailedRenewal() {
        FailingRenewals store = new FailingRenewals();
        contexts.withBean(LockStore.class, () -> store)
                .withPropertyValues("dynamolock.heartbeat.interval=20ms")
                .run(context -> {
                    Lease lease =
                            context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
                    List<LockEvent> events = context.getBean(Hearing.class).events;

                    Awaitility.await().until(() -> events.stream().anyMatch(LockEvent.RenewalFailed.class::isInstance));

                    assertThat(lease.isHeld()).isTrue();
                    assertThat(events)
                            .filteredOn(LockEvent.RenewalFailed.class::isInstance)
                            .allSatisfy(event -> assertThat(((LockEvent.RenewalFailed) event).failure())
                                    .hasMessageContaining("on purpose"));
                });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfReleases.class,
                OfSkips.class,
                OfAll.class,
                OfAnyPayload.class,
                OfAnything.class,
                OfNamed.class,
                Listening.class
            })
    void refuseListenersWhoseOwnLockPublishesThem(Class<?> listener) {
        contexts.withBean(listener)
                .run(context -> assertThat(StartFailure.of(context, InvalidDistributedLockException.class))
                        .hasMessageContaining(listener.getName() + ".on")
                        .hasMessageContaining("which its own lock publishes, too"));
    }

    @Test
    void mayBeListenedToUnderLockOfOtherEvents() {
        contexts.withBean(OfOthers.class).withUserConfiguration(Generics.class).run(context -> {
            context.getBean(LockManager.class).tryAcquire("job").orElseThrow().release();

            assertThat(context.getBean(Hearing.class).events)
                    .extracting(LockEvent::lockName)
                    .containsExactlyInAnyOrder("job", "job", "audit", "audit");
        });
    }

    @Test
    void doNoHarmWhoeverThrowsThem() {
        FailingRenewals store = new FailingRenewals();
        contexts.withBean(Broken.class)
                .withBean(LockListener.class, LockEventTests::brokenListener)
                .withBean(LockStore.class, () -> store)
                .withPropertyValues("dynamolock.heartbeat.interval=100ms")
                .run(context -> {
                    LockManager locks = context.getBean(LockManager.class);
                    Lease lost = locks.tryAcquire(LockRequest.of("lost").leaseDuration(Duration.ofSeconds(3)))
                            .orElseThrow();

                    List<LockEvent> events = context.getBean(Hearing.class).events;
                    Awaitility.await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));
                    assertThat(lost.state()).isEqualTo(LeaseState.LOST);
                    assertThat(locks.tryAcquire("released").orElseThrow().release())
                            .isEqualTo(ReleaseOutcome.RELEASED);

                    assertThat(events)
                            .hasAtLeastOneElementOfType(LockEvent.RenewalFailed.class)
                            .hasAtLeastOneElementOfType(LockEvent.Released.class);
                });
    }

    private static LockListener brokenListener() {
        return (LockListener) Proxy.newProxyInstance(
                LockEventTests.class.getClassLoader(), new Class<?>[] {LockListener.class}, (proxy, method, args) -> {
                    throw new IllegalStateException("on purpose, in " + method.getName());
                });
    }

    /** Ordered after {@link Hearing}, so that it fails after that listener received the event. */
    static final class Broken {

        @EventListener
        @Order(Ordered.LOWEST_PRECEDENCE)
        void fail(LockEvent event) {
            throw new IllegalStateException("on purpose, at " + event);
        }
    }

    static final class Hearing {

        private final List<LockEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void hear(LockEvent event) {
            events.add(event);
        }
    }

    static final class Failing {

        @EventListener
        void fail(LockEvent.Acquired event) {
            throw new IllegalStateException("on purpose, at " + event.lockName());
        }
    }

    static class OfReleases {

        @EventListener
        @DistributedLock("audit")
        public void on(LockEvent.Released event) {}
    }

    static class OfSkips {

        @EventListener
        @DistributedLock(name = "audit", onBusy = OnBusy.SKIP)
        public void on(PayloadApplicationEvent<LockEvent.Skipped> event) {}
    }

    static class OfAll {

        @EventListener
        @DistributedLock("audit-#{#event.lockName()}")
        public void on(LockEvent event) {}
    }

    static class OfAnyPayload {

        @EventListener
        @DistributedLock("audit")
        public void on(PayloadApplicationEvent<?> event) {}
    }

    static class OfAnything {

        @TransactionalEventListener(fallbackExecution = true)
        @DistributedLock("audit")
        public void on(Object event) {}
    }

    static class OfNamed {

        @EventListener({LockEvent.Lost.class, LockEvent.Rejected.class})
        @DistributedLock("audit")
        public void on() {}
    }

    @DistributedLock("audit")
    static class Listening implements ApplicationListener<ApplicationEvent> {

        @Override
        public void onApplicationEvent(ApplicationEvent event) {}
    }

    static class OfAnyKind<E extends ApplicationEvent> implements ApplicationListener<E> {

        @Override
        @DistributedLock("any")
        public void onApplicationEvent(E event) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Generics {

        @Bean
        static OfAnyKind<ContextStoppedEvent> listener() {
            return new OfAnyKind<>();
        }
    }

    static class OfOthers {

        @EventListener
        @DistributedLock("lost")
        public void on(LockEvent.Lost event) {}

        @EventListener
        @DistributedLock("closed")
        public void on(ContextClosedEvent event) {}

        @EventListener
        @DistributedLock("skipped")
        public void on(LockEvent.Skipped event) {}

        @EventListener
        @DistributedLock(name = "rejected", onBusy = OnBusy.SKIP)
        public void on(LockEvent.Rejected event) {}

        @TransactionalEventListener
        @DistributedLock("committed")
        public void on(LockEvent.Acquired event) {}

        @EventListener(condition = "#event.lockName() != 'audit'")
        @DistributedLock("audit")
        public void on(LockEvent.Released event) {}
    }
}
