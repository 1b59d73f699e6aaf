/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.boot.DynamolockLeaderAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;

/** What the meters of an application refer to, and how often a hold counts. */
class MeterSourcesTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockLeaderAutoConfiguration.class, DynamolockMetricsAutoConfiguration.class));
    private final ApplicationContextRunner measured = contexts.withBean(MeterRegistry.class, () -> meters);

    @Test
    void registryThatOutlivesItsContextShowsTheNextOne() {
        for (int i = 0; i < 2; i++) {
            measured.run(context -> {
                context.getBean(LockManager.class).acquire("job");

                assertThat(meters.get("dynamolock.held").gauge().value()).isOne();
            });
            assertThat(meters.find("dynamolock.held").gauge()).isNull();
            assertThat(meters.get("dynamolock.acquire")
                            .tag("outcome", "acquired")
                            .timer()
                            .count())
                    .isEqualTo(i + 1);
        }
    }

    /** Whose metrics are those of its parent. */
    @Test
    void childThatIsStartedAgainIsShown() {
        measured.run(parent -> {
            for (int i = 0; i < 2; i++) {
                Locking.inMemory()
                        .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
                        .withPropertyValues("dynamolock.managers.billing.table.name=billing-locks")
                        .withParent(parent)
                        .run(child -> {
                            child.getBean("billing", LockManager.class).acquire("job");

                            assertThat(child.getBean(LockMetrics.class)).isSameAs(parent.getBean(LockMetrics.class));
                            assertThat(ofBilling("dynamolock.held").gauge())
                                    .isNotNull()
                                    .satisfies(held -> assertThat(held.value()).isOne());
                        });
                assertThat(ofBilling("dynamolock.held").gauge()).isNull();
                assertThat(ofBilling("dynamolock.rows.closed").gauge()).isNull();
                assertThat(ofBilling("dynamolock.acquire").timers()).isNotEmpty();
            }
            assertThat(meters.get("dynamolock.held").gauge().getId().getTag("manager"))
                    .isEqualTo("dynamolockManager");
        });
    }

    /** Micrometer shows the first gauge of a name. */
    @Test
    @ExtendWith(LogCapture.class)
    void siblingIsShownWhenTheFirstOneHasClosed(CapturedOutput output) {
        measured.run(parent -> showsSiblings(child -> child.withParent(parent)));
        assertThat(output).doesNotContain("has been already registered");
    }

    /** Without a parent that has metrics, each context has its own. With several registries, all of them are in one. */
    @Test
    void contextIsShownWhenTheFirstOfTheSameRegistryHasClosed() {
        CompositeMeterRegistry all = new CompositeMeterRegistry(Clock.SYSTEM, List.of(meters));
        showsSiblings(child -> child.withBean(MeterRegistry.class, () -> all));
        assertThat(meters.find("dynamolock.held").gauges()).isEmpty();
    }

    /** A filter changes what a registry calls a meter, and so what two contexts share. */
    @Test
    void siblingIsShownWhoseMetersFiltersRename() {
        SimpleMeterRegistry renamed = new SimpleMeterRegistry();
        renamed.config().meterFilter(MeterFilter.renameTag("dynamolock", "manager", "lock.manager"));
        ApplicationContextRunner children = Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> renamed);
        children.run(first -> children.run(second -> {
            second.getBean(LockManager.class).acquire("job");

            first.close();

            assertThat(renamed.get("dynamolock.held").gauge().value()).isOne();
        }));
        assertThat(renamed.find("dynamolock.held").gauge()).isNull();
    }

    private void showsSiblings(UnaryOperator<ApplicationContextRunner> settings) {
        ApplicationContextRunner children = settings.apply(Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
                .withPropertyValues("dynamolock.managers.billing.table.name=billing-locks"));
        children.run(first -> children.run(second -> children.run(third -> {
            second.getBean("billing", LockManager.class).acquire("job");
            assertThat(ofBilling("dynamolock.held").gauges())
                    .singleElement()
                    .satisfies(held -> assertThat(held.value()).isZero());

            third.close();
            first.close();

            assertThat(ofBilling("dynamolock.held").gauges())
                    .singleElement()
                    .satisfies(held -> assertThat(held.value()).isOne());
            assertThat(ofBilling("dynamolock.rows.closed").gauges()).hasSize(1);
            assertThat(ofBilling("dynamolock.clock.skew").meters()).hasSize(1);
        })));
        assertThat(ofBilling("dynamolock.held").gauge()).isNull();
    }

    private Search ofBilling(String meter) {
        return meters.find(meter).tag("manager", "billing");
    }

    @Test
    void clockThatIsNotTrustedHasNoWidth() {
        LockListener listener = new LockMetrics(meters, false).listener("manager");
        listener.onClockSample(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(meters.get("dynamolock.clock.width").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(2);

        listener.onClockUntrusted(LockListener.ClockProblem.UNDATED);

        assertThat(meters.get("dynamolock.clock.width").timeGauge().value()).isNaN();
        assertThat(meters.get("dynamolock.clock.skew").timeGauge().value()).isNaN();
    }

    @Test
    void severalRegistriesStartWithoutMeters() {
        contexts.withBean("one", MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("other", MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockMetrics.class));
    }

    @Test
    void metersOfTheLeaderNameTheManagerThatElects() {
        measured.withBean(
                        "billing",
                        LockManager.class,
                        () -> LockManager.builder(new InMemoryLockStore()).build())
                .withPropertyValues("dynamolock.leader.name=boss")
                .run(context -> assertThat(
                                meters.get("dynamolock.leader").gauge().getId().getTag("manager"))
                        .isEqualTo("billing"));
    }

    @Test
    void gaugeShowsHowManyLocksAreClosedNow() {
        measured.run(context -> {
            LockListener listener = context.getBean(LockMetrics.class).listener("another");
            assertThat(closed()).isZero();

            listener.onCorruptRow("job", List.of(), true);
            listener.onCorruptRow("job", List.of(), true);
            listener.onCorruptRow("other", List.of(), true);
            listener.onCorruptRow("repaired", List.of(), true);
            assertThat(closed()).isEqualTo(3);

            listener.onRepairedRow("repaired");
            listener.onCorruptRow("other", List.of(), false);
            assertThat(closed()).isOne();

            Lease acquired = context.getBean(LockManager.class).acquire("job");
            listener.onAcquired(acquired, acquired.age(), acquired.age());
            assertThat(closed()).isZero();
        });
    }

    private double closed() {
        return meters.get("dynamolock.rows.closed")
                .tag("manager", "another")
                .gauge()
                .value();
    }

    @Test
    void lossThatTheReleaseFindsCountsOneHold() {
        measured.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            for (int i = 0; i < 100; i++) {
                Lease lease = locks.acquire("job-" + i);
                assertThat(lease.lost()).isNotNull();
                locks.forceFree("job-" + i);
                lease.release();
            }

            Awaitility.await()
                    .until(() -> meters.get("dynamolock.release").timers().stream()
                                    .mapToLong(Timer::count)
                                    .sum()
                            == 100);
            assertThat(meters.get("dynamolock.hold").timer().count()).isEqualTo(100);
        });
    }

    @Test
    void holdWhoseReleaseFailsCountsOnce() {
        measured.withBean(LockStore.class, MeterSourcesTests::releasesNothing).run(context -> {
            Lease lease = context.getBean(LockManager.class).acquire("job");

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
            }

            assertThat(meters.get("dynamolock.hold").timer().count()).isOne();
        });
    }

    private static LockStore releasesNothing() {
        InMemoryLockStore store = new InMemoryLockStore();
        return (LockStore) Proxy.newProxyInstance(
                LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("release")) {
                        throw new LockStoreException("job", "on purpose", null, false, true);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
