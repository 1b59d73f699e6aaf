/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.Undeclared;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Actions of a method whose lock another holder has. */
class BusyTests {

    private final ApplicationContextRunner contexts = Locking.inMemory().withBean(Jobs.class);

    @Test
    void throwsWithTheHolderByDefault() {
        contexts.withPropertyValues("dynamolock.owner=node-1").run(context -> {
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThatExceptionOfType(LockBusyException.class)
                        .isThrownBy(() -> context.getBean(Jobs.class).plain())
                        .satisfies(busy -> assertThat(busy.lockName()).isEqualTo("job"))
                        .satisfies(busy -> assertThat(busy.holder().leaseId()).isEqualTo(held.id()))
                        .satisfies(busy -> assertThat(busy.holder().owner()).isEqualTo("node-1"));
            }
            assertThat(context.getBean(Jobs.class).runs()).isEqualTo(0);
        });
    }

    @Test
    void skipsWithAnEmptyValueOfTheReturnType() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                jobs.skipNothing();
                assertThat(jobs.skipObject()).isNull();
                assertThat(jobs.skipOptional()).isEmpty();
                assertThat(jobs.skipOptionalInt()).isEmpty();
                assertThat(jobs.skipOptionalLong()).isEmpty();
            }
            assertThat(jobs.runs()).isEqualTo(0);

            assertThat(jobs.skipObject()).isEqualTo(1);
        });
    }

    @Test
    void skipsThoughTheListenerOfItsEventFails() {
        ApplicationListener<PayloadApplicationEvent<LockEvent.Skipped>> failing = event -> {
            throw Undeclared.rethrow(new IOException("on purpose"));
        };
        contexts.withInitializer(context -> context.addApplicationListener(failing))
                .run(context -> {
                    try (Lease held = hold(context.getBean(LockManager.class))) {
                        assertThat(held.isHeld()).isTrue();
                        assertThat(context.getBean(Jobs.class).skipOptional()).isEmpty();
                    }
                });
    }

    @Test
    void skipsQuietlyWhileTheApplicationStops() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                    .close();

            assertThat(jobs.skipObject()).isNull();
            assertThat(jobs.runs()).isEqualTo(0);
            assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(jobs::plain);
        });
    }

    @Test
    void closedManagerIsAnErrorUnlessTheApplicationStops() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getBean(LockManager.class).close();

            assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(jobs::skipObject);
        });
    }

    @Test
    void doesElsewhereWhatThePropertySays() {
        contexts.withPropertyValues("dynamolock.annotation.on-busy=skip").run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                jobs.plain();
                assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::insists);
            }
            assertThat(jobs.runs()).isEqualTo(0);
        });
    }

    @Test
    void waitsAsLongAsItSays() {
        contexts.withPropertyValues("app.wait=2m", "dynamolock.wait.poll-max=50ms")
                .run(context -> {
                    Lease held = hold(context.getBean(LockManager.class));
                    Jobs jobs = context.getBean(Jobs.class);
                    Thread waiter = new Thread(jobs::waits);
                    waiter.start();
                    Awaitility.await().until(() -> Locking.isWaiting(waiter));
                    assertThat(jobs.runs()).isEqualTo(0);

                    held.release();

                    waiter.join(60_000);
                    assertThat(jobs.runs()).isEqualTo(1);
                    assertThat(context.getBean(Locking.class).events()).doesNotContain("!job");
                });
    }

    @Test
    void givesUpWhenItsTimeIsOver() {
        contexts.run(context -> {
            try (Lease held = hold(context.getBean(LockManager.class))) {
                assertThat(held.isHeld()).isTrue();
                long started = System.nanoTime();

                assertThatExceptionOfType(LockBusyException.class)
                        .isThrownBy(() -> context.getBean(Jobs.class).waitsBriefly());

                assertThat(Duration.ofNanos(System.nanoTime() - started))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
            }
        });
    }

    @Test
    void takesItsTimesFromTheAnnotation() {
        contexts.run(context -> {
            Lease held = hold(context.getBean(LockManager.class));
            held.release();

            Duration lease = context.getBean(Jobs.class).lease(context.getBean(LockManager.class));

            assertThat(lease).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(130)); // 30 s by default
        });
    }

    @Test
    void keepsTheMinimumHold() {
        contexts.run(context -> {
            context.getBean(Jobs.class).holdsOn();

            assertThat(context.getBean(LockManager.class).tryAcquire("held-on")).isEmpty();
        });
    }

    @Test
    @ExtendWith(LogCapture.class)
    void skipsQuietlyWhatIsScheduled(CapturedOutput output) {
        contexts.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withBean(ScheduledJob.class)
                .run(context -> {
                    Lease held = hold(context.getBean(LockManager.class));
                    ScheduledJob job = context.getBean(ScheduledJob.class);
                    int before = job.runs();

                    Awaitility.await()
                            .until(() -> context.getBean(Locking.class).events().stream()
                                            .filter("!job"::equals)
                                            .count()
                                    > 3);
                    assertThat(job.runs() - before).isLessThanOrEqualTo(1);
                    held.release();

                    assertThat(job.awaitRuns()).isTrue();
                    assertThat(output.getOut()).doesNotContain("LockBusyException", "ERROR", "busy");
                });
    }

    @Test
    void skipsScheduledMethodThatOtherCodeCalls() {
        contexts.withBean(ScheduledJob.class).run(context -> {
            Lease held = hold(context.getBean(LockManager.class));
            ScheduledJob job = context.getBean(ScheduledJob.class);

            job.run();
            int runs = job.runs();
            held.release();
            job.run();

            assertThat(runs).isZero();
            assertThat(job.runs()).isOne();
        });
    }

    @Test
    void scheduledMethodThatSkipsDoesNotWaitByDefault() {
        contexts.withBean(ScheduledJob.class)
                .withPropertyValues("dynamolock.wait.time=2s")
                .run(context -> {
                    hold(context.getBean(LockManager.class));

                    context.getBean(ScheduledJob.class).run();

                    assertThat(context.getBean(Locking.class).waiting()).isEmpty();
                });
    }

    @Test
    void scheduledMethodWaitsIfItSaysSoOrThrows() {
        contexts.withBean(WaitingJobs.class)
                .withPropertyValues("dynamolock.wait.time=20ms")
                .run(context -> {
                    hold(context.getBean(LockManager.class));
                    WaitingJobs jobs = context.getBean(WaitingJobs.class);

                    jobs.waits();
                    assertThatExceptionOfType(LockBusyException.class).isThrownBy(jobs::fails);

                    assertThat(context.getBean(Locking.class).waiting()).containsExactly("job", "job");
                });
    }

    @Test
    void locksOverloadsThatAreNotTheFallbackOfTheirType() {
        contexts.withBean(Prices.class).run(context -> {
            Prices prices = context.getBean(Prices.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("prices").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(prices.read("a")).isEqualTo("cached prices of a");
                assertThat(prices.cached("b")).isEqualTo("cached prices of b");
                assertThat(prices.cached((Object) "c")).isEqualTo("cached prices of c while prices is busy");
            }
        });
    }

    private static Lease hold(LockManager locks) {
        return Awaitility.await()
                .until(() -> locks.tryAcquire("job"), Optional::isPresent)
                .orElseThrow();
    }

    /** Of overloads that fit a method of an annotated type, one is its fallback, and the others are work. */
    @DistributedLock(name = "prices", onBusy = OnBusy.FALLBACK, fallback = "cached")
    static class Prices {

        public String read(String market) {
            return "prices of " + market;
        }

        public String cached(String market) {
            return "cached prices of " + market;
        }

        public String cached(Object shop) {
            return "fresh prices of " + shop;
        }

        String cached(Object shop, LockBusyException busy) {
            return "cached prices of " + shop + " while " + busy.lockName() + " is busy";
        }
    }

    static class Jobs {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        @DistributedLock("job")
        public void plain() {
            runs.incrementAndGet();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.THROW)
        public void insists() {
            runs.incrementAndGet();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public void skipNothing() {
            runs.incrementAndGet();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public @Nullable Integer skipObject() {
            return runs.incrementAndGet();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Optional<Integer> skipOptional() {
            return Optional.of(runs.incrementAndGet());
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public OptionalInt skipOptionalInt() {
            return OptionalInt.of(runs.incrementAndGet());
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public OptionalLong skipOptionalLong() {
            return OptionalLong.of(runs.incrementAndGet());
        }

        @DistributedLock(name = "job", waitTime = "${app.wait:1s}")
        public void waits() {
            runs.incrementAndGet();
        }

        @DistributedLock(name = "job", waitTime = "PT0.2S")
        public void waitsBriefly() {}

        @DistributedLock(name = "long", leaseDuration = "2m")
        public Duration lease(LockManager locks) {
            return Duration.between(
                    Instant.now(), Objects.requireNonNull(locks.inspect("long").expiresAt()));
        }

        @DistributedLock(name = "held-on", minHold = "1m")
        public void holdsOn() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class WaitingJobs {

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        @DistributedLock(name = "job", waitTime = "20ms")
        public void waits() {}

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.DAYS)
        @DistributedLock(name = "job", onBusy = OnBusy.THROW)
        public void fails() {}
    }

    static class ScheduledJob {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        private final CountDownLatch ran = new CountDownLatch(3);

        public boolean awaitRuns() throws InterruptedException {
            return ran.await(60, TimeUnit.SECONDS);
        }

        @Scheduled(fixedDelay = 20)
        @DistributedLock("job")
        public void run() {
            runs.incrementAndGet();
            ran.countDown();
        }
    }
}
