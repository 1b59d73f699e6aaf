/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Why locked methods did not run, in the meters. */
class SkippedCallsTests {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
            .withBean(MeterRegistry.class, () -> meters)
            .withBean(Jobs.class);

    @Test
    void countByReason() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            LockManager locks = context.getBean(LockManager.class);
            assertThat(skipped()).isEmpty();

            Lease held = locks.acquire("job");
            jobs.skips();
            held.release();
            jobs.disabled();
            jobs.skips();
            locks.startDraining();
            jobs.skips();
            jobs.skips();
            assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(jobs::rejected);

            assertThat(skipped()).isEqualTo(Map.of("busy", 1.0, "condition", 1.0, "draining", 2.0));
        });
    }

    private Map<String, Double> skipped() {
        return meters.find("dynamolock.skipped").tag("manager", "dynamolockManager").counters().stream()
                .collect(Collectors.toMap(
                        counter -> Objects.requireNonNull(counter.getId().getTag("reason")), Counter::count));
    }

    @Test
    void waitThatDrainingEndsIsNoFailure() {
        assertNoFailure(LockManager::startDraining, LockManagerDrainingException.class);
    }

    @Test
    void waitThatTheCloseOfTheManagerEndsIsNoFailure() {
        assertNoFailure(LockManager::close, LockManagerClosedException.class);
    }

    private void assertNoFailure(Consumer<LockManager> end, Class<? extends Exception> cause) {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            assertThat(locks.tryAcquire("job")).isPresent();
            CompletableFuture<Lease> waiting =
                    locks.acquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(10)));

            end.accept(locks);

            assertThat(waiting).failsWithin(Locking.TIMEOUT).withThrowableThat().withCauseInstanceOf(cause);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(acquisitions("cancelled")).isOne());
            assertThat(acquisitions("failed")).isZero();
        });
    }

    @Test
    void callAfterTheCloseOfTheManagerIsNotCounted() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            locks.close();

            assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(() -> locks.tryAcquire("job"));

            assertThat(meters.find("dynamolock.acquire").timers())
                    .allSatisfy(timer -> assertThat(timer.count()).isZero());
        });
    }

    private long acquisitions(String outcome) {
        return meters.find("dynamolock.acquire").tag("outcome", outcome).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void gaugeShowsWhetherTheManagerDrains() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            assertThat(gauge("dynamolock.draining")).isZero();

            locks.startDraining();
            assertThat(gauge("dynamolock.draining")).isOne();

            locks.stopDraining();
            assertThat(gauge("dynamolock.draining")).isZero();
        });
    }

    private double gauge(String name) {
        return meters.get(name).tag("manager", "dynamolockManager").gauge().value();
    }

    static class Jobs {

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public void skips() {}

        @DistributedLock(name = "job", condition = "false")
        public void disabled() {}

        @DistributedLock("job")
        public void rejected() {}
    }
}
