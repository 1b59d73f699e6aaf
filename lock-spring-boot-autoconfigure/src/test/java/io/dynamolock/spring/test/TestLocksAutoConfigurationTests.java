/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.FailingRenewals;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnlyOnLeader;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Test locks together with beans that an application defines or lacks. */
@ExtendWith(LogCapture.class)
class TestLocksAutoConfigurationTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(TestLocksAutoConfiguration.class, DynamolockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    @Test
    void storeOfApplicationIsRejectedWithRemedies() {
        contexts.withBean(LockStore.class, FailingRenewals::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("LockStore or LockManager bean")
                        .hasMessageContaining("remove @AutoConfigureTestLocks"));
    }

    @Test
    void tableOfNamedManagerIsRejectedBeforeAnyRequest() {
        ApplicationContextRunner named = contexts.withPropertyValues(
                "dynamolock.managers.audit.lease.duration=1m", "dynamolock.managers.billing.store=dynamodb");

        named.run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining("but dynamolock.managers.billing.store = dynamodb. Set it to memory"));
        named.withBean("billingLockStore", InMemoryLockStore.class, InMemoryLockStore::new)
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withPropertyValues("dynamolock.managers=")
                .run(context -> assertThat(context).hasNotFailed());
        named.withPropertyValues("dynamolock.managers.billing.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void locksLeftOpenDelayNoShutdown(CapturedOutput output) {
        LogCapture.setLevel(Level.INFO);

        contexts.run(context -> context.getBean(LockManager.class).acquire("job"));

        assertThat(output).contains("Lock 'job' was not released").doesNotContain("Closing waits");
    }

    @Test
    void aGracePeriodThatIsSetApplies(CapturedOutput output) {
        LogCapture.setLevel(Level.INFO);

        contexts.withPropertyValues("dynamolock.shutdown.grace-period=100ms")
                .run(context -> context.getBean(LockManager.class).acquire("job"));

        assertThat(output).contains("Closing waits at most 100ms");
    }

    @Test
    void aStoreInMemoryOfTheApplicationIsUsed() {
        InMemoryLockStore own = new InMemoryLockStore();

        contexts.withBean(InMemoryLockStore.class, () -> own).run(context -> {
            context.getBean(Rival.class).hold("job");

            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isEmpty();
            own.clear();
            assertThat(context.getBean(LockManager.class).tryAcquire("job"))
                    .get()
                    .satisfies(Lease::release);
        });
    }

    /** The table is that of the application. */
    @Test
    void aStoreInMemoryOfTheApplicationIsNoMistake(CapturedOutput output) {
        contexts.withBean(LockStore.class, InMemoryLockStore::new)
                .withPropertyValues("dynamolock.table.name=shop-locks", "dynamolock.client.region=eu-north-1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("do not apply");
                });
    }

    @Test
    void nothingIsThereWhileLocksAreSwitchedOff() {
        contexts.withPropertyValues("dynamolock.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(TestClock.class)
                        .doesNotHaveBean(Rival.class));
    }

    @Test
    void locksUseTestClockDespiteClockOfTheApplication() {
        contexts.withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class)
                .withBean("dynamolockClock", Clock.class, () -> Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
                .run(context -> {
                    try (Lease lease = context.getBean(LockManager.class).acquire("job")) {
                        context.getBean(TestClock.class).advance(Duration.ofMinutes(10));
                        assertThat(lease.isHeld()).isTrue();
                    }

                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("dynamolock.hold")
                                    .timer()
                                    .max(TimeUnit.MINUTES))
                            .isBetween(10.0, 11.0);
                });
    }

    @Test
    void anApplicationWithoutAClockGetsTheTests() {
        contexts.run(context -> assertThat(context.getBean(Clock.class)).isSameAs(context.getBean(TestClock.class)));
    }

    @Nested
    @SpringJUnitConfig(InASlice.Nothing.class)
    @AutoConfigureTestLocks
    class InASlice {

        @Configuration(proxyBeanMethods = false)
        static class Nothing {}

        @Test
        void locksAreThereWithoutTheRestOfTheAutoConfiguration(@Autowired LockManager manager, @Autowired Rival rival) {
            rival.hold("job");

            assertThat(manager.tryAcquire("job")).isEmpty();
        }
    }

    @Nested
    @SpringJUnitConfig(InASliceOfALeader.Work.class)
    @TestPropertySource(properties = "dynamolock.leader.name=shop")
    @AutoConfigureTestLocks
    class InASliceOfALeader {

        static class Work {

            private int runs;

            @OnlyOnLeader
            public void run() {
                runs++;
            }

            int runs() {
                return runs;
            }
        }

        @Test
        @DirtiesContext
        void onlyTheLeaderRunsItsWork(@Autowired Work work, @Autowired LeaderElection election) {
            await().until(election::isLeader);
            work.run();
            election.stop();
            work.run();

            assertThat(work.runs()).isEqualTo(1);
        }
    }
}
