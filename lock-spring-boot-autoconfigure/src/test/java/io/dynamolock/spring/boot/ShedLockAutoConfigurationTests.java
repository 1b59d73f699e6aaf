/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.shedlock.LeaseLockProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Applications with {@code @SchedulerLock} whose locks are those of this library. */
class ShedLockAutoConfigurationTests {

    private final FaultyHttpClient http = TestClients.http();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner plain = TestClients.contexts(http)
            .withPropertyValues("dynamolock.retry.max-attempts=1")
            .withUserConfiguration(Scheduling.class)
            .withBean(Jobs.class, () -> new Jobs(ran));
    private final ApplicationContextRunner contexts =
            plain.withConfiguration(AutoConfigurations.of(DynamolockShedLockAutoConfiguration.class));

    @Test
    void jobRunsInOneOfTwoApplications() {
        contexts.run(one -> contexts.run(other -> {
            one.getBean(Jobs.class).report(() -> {
                assertThat(one.getBean(LockManager.class).inspect("report").status())
                        .isEqualTo(Status.HELD);
                // ShedLock treats its thread's own lock as held
                CompletableFuture.runAsync(() -> other.getBean(Jobs.class).report(() -> {}))
                        .join();
            });
            other.getBean(Jobs.class).report(() -> {});
        }));

        assertThat(ran).containsExactly("report", "report");
    }

    @Test
    void jobDoesNotRunAgainWithinItsMinimum() {
        contexts.run(one -> one.getBean(Jobs.class).nightly());
        contexts.run(restarted -> restarted.getBean(Jobs.class).nightly());

        assertThat(ran).containsExactly("nightly");
    }

    @Test
    void runningJobExtendsItsLock() {
        contexts.run(context -> context.getBean(Jobs.class).report(() -> {
            LockExtender.extendActiveLock(Duration.ofHours(1), Duration.ZERO);
            assertThat(context.getBean(LockManager.class)
                            .held()
                            .findFirst()
                            .orElseThrow()
                            .expiresAt())
                    .isAfter(Instant.now().plusSeconds(3_000));
        }));
        assertThat(ran).containsExactly("report");
    }

    @Test
    void jobWithBothAnnotationsFails() {
        contexts.run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(Jobs.class).slip())
                .withMessageContaining("remove one of the two annotations"));
    }

    @Test
    void failingStoreReachesTheScheduler() {
        contexts.run(context -> {
            http.decide(attempt -> attempt.isFor("UpdateItem") ? Fault.throttle() : Fault.none());
            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> context.getBean(Jobs.class).nightly());
        });
        assertThat(ran).isEmpty();
    }

    @Test
    void oneBeanIsAllThatAnApplicationNeeds() {
        plain.withBean(LockProvider.class, () -> {
                    LockManager locks =
                            LockManager.builder(new InMemoryLockStore()).build();
                    return new LeaseLockProvider(locks).keepAlive();
                })
                .run(context -> context.getBean(Jobs.class).nightly());

        assertThat(ran).containsExactly("nightly");
    }

    @Test
    void providerOfTheApplicationWins() {
        LockProvider own = configuration -> Optional.empty();
        contexts.withBean(LockProvider.class, () -> own).run(context -> {
            assertThat(context.getBean(LockProvider.class)).isSameAs(own);
            context.getBean(Jobs.class).nightly();
        });

        assertThat(ran).isEmpty();
    }

    @Test
    void applicationStartsWithoutShedLock() {
        TestClients.contexts(http)
                .withConfiguration(AutoConfigurations.of(DynamolockShedLockAutoConfiguration.class))
                .withClassLoader(TestClients.without("net.javacrumbs.shedlock"))
                .run(context ->
                        assertThat(context).hasSingleBean(LockManager.class).doesNotHaveBean("dynamolockLockProvider"));
    }

    @Test
    void disabledLocksGrantEveryRequest() {
        contexts.withPropertyValues("dynamolock.enabled=false").run(context -> {
            context.getBean(Jobs.class).nightly();
            context.getBean(Jobs.class).nightly();
        });

        assertThat(ran).containsExactly("nightly", "nightly");
        assertThat(http.attempts()).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Scheduling {}

    static class Jobs {

        private final List<String> ran;

        Jobs(List<String> ran) {
            this.ran = ran;
        }

        @SchedulerLock(name = "report")
        public void report(Runnable meanwhile) {
            LockAssert.assertLocked();
            ran.add("report");
            meanwhile.run();
        }

        @DistributedLock("slip")
        @SchedulerLock(name = "slip")
        public void slip() {
            ran.add("slip");
        }

        @SchedulerLock(name = "nightly", lockAtLeastFor = "5m")
        public void nightly() {
            ran.add("nightly");
        }
    }
}
