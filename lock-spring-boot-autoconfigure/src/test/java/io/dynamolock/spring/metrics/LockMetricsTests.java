/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.UtcClock;
import io.dynamolock.dynamodb.Fault;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.spring.FailingRenewals;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.boot.ClosedLocks;
import io.dynamolock.spring.boot.TestClients;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Condition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Events that update each meter. */
@ExtendWith(LogCapture.class)
class LockMetricsTests {

    private final FaultyHttpClient http = TestClients.http();
    private final FailingRenewals store = new FailingRenewals();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ApplicationContextRunner inDynamoDb =
            TestClients.contexts(http).withBean(MeterRegistry.class, () -> meters);
    private final ApplicationContextRunner contexts = TestClients.contexts()
            .withPropertyValues("dynamolock.lease.time=system") // else the store is asked for its time first
            .withBean(LockStore.class, () -> store)
            .withBean(MeterRegistry.class, () -> meters);

    @Test
    void countAnAcquisitionAndItsRelease() {
        contexts.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            assertThat(meters.get("dynamolock.held").gauge().value()).isEqualTo(1);

            lease.release();

            assertThat(moved())
                    .containsOnlyKeys(
                            "dynamolock.acquire{outcome=acquired}",
                            "dynamolock.hold{}",
                            "dynamolock.release{outcome=released}",
                            "dynamolock.requests{operation=acquire, outcome=ok}",
                            "dynamolock.requests{operation=release, outcome=ok}")
                    .allSatisfy((meter, count) -> assertThat(count).as(meter).isEqualTo(1));
            assertThat(meters.get("dynamolock.hold").timer().totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
            assertThat(meters.get("dynamolock.held").gauge().value()).isZero();
        });
    }

    @Test
    void measureAHoldAlthoughTheClockIsSetBack() {
        AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);
        Clock wall = new UtcClock() {
            @Override
            public Instant instant() {
                return Clock.systemUTC().instant().plus(offset.get());
            }
        };
        contexts.withBean("dynamolockClock", Clock.class, () -> wall).run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            offset.set(Duration.ofHours(-1));

            lease.release();

            assertThat(moved()).containsEntry("dynamolock.hold{}", 1.0);
        });
    }

    @Test
    void countABusyLockOnce() {
        contexts.run(context -> {
            rival("job");

            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isEmpty();

            assertThat(moved())
                    .containsOnlyKeys(
                            "dynamolock.acquire{outcome=busy}",
                            "dynamolock.requests{operation=acquire, outcome=rejected}")
                    .allSatisfy((meter, count) -> assertThat(count).as(meter).isEqualTo(1));
        });
    }

    @Test
    void countACancelledAcquisitionAsNoFailure() {
        contexts.run(context -> {
            rival("job");
            CompletableFuture<Optional<Lease>> waiting = context.getBean(LockManager.class)
                    .tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

            waiting.cancel(true);

            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(moved()).containsEntry("dynamolock.acquire{outcome=cancelled}", 1.0));
            assertThat(moved()).doesNotContainKey("dynamolock.acquire{outcome=failed}");
        });
    }

    @Test
    void countAWait() {
        contexts.run(context -> {
            rival("job");

            assertThat(context.getBean(LockManager.class)
                            .tryAcquire(LockRequest.of("job").waitTime(Duration.ofMillis(200))))
                    .isEmpty();

            assertThat(moved())
                    .containsEntry("dynamolock.acquire{outcome=busy}", 1.0)
                    .containsEntry("dynamolock.wait{}", 1.0)
                    .containsKey("dynamolock.requests{operation=read, outcome=ok}");
            Timer waited = meters.get("dynamolock.wait").timer();
            assertThat(waited.totalTime(TimeUnit.MILLISECONDS)).isBetween(100.0, 30_000.0);
        });
    }

    @Test
    void countAFailureAndItsRetries() {
        inDynamoDb
                .withPropertyValues("dynamolock.retry.base-delay=1ms", "dynamolock.retry.max-attempts=3")
                .run(context -> {
                    http.always(Fault.throttle());

                    assertThatExceptionOfType(LockStoreException.class)
                            .isThrownBy(() -> context.getBean(LockManager.class).tryAcquire("job"));

                    assertThat(moved())
                            .containsOnly(
                                    Map.entry("dynamolock.acquire{outcome=failed}", 1.0),
                                    Map.entry("dynamolock.retries{}", 2.0),
                                    Map.entry("dynamolock.retries.exhausted{}", 1.0),
                                    Map.entry("dynamolock.requests{operation=acquire, outcome=failed}", 3.0));
                    http.always(Fault.none());
                });
    }

    @Test
    void countRenewals() {
        contexts.withPropertyValues("dynamolock.heartbeat.interval=50ms").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease lost = locks.acquire(LockRequest.of("lost").leaseDuration(Duration.ofSeconds(1)));
            Awaitility.await().until(() -> moved().containsKey("dynamolock.renew{outcome=failed}"));
            Awaitility.await().until(() -> moved().containsKey("dynamolock.lost{reason=unreachable}"));

            assertThat(lost.isHeld()).isFalse();
            assertThat(moved()).containsKey("dynamolock.heartbeat.lag{}");

            store.heal();
            Lease kept = locks.acquire("kept");
            Awaitility.await().until(() -> moved().getOrDefault("dynamolock.renew{outcome=ok}", 0.0) >= 2);
            assertThat(kept.isHeld()).isTrue();
            assertThat(moved())
                    .containsEntry("dynamolock.hold{}", 1.0); // now that the callbacks of the loss have ended
        });
    }

    @Test
    void countALoss() {
        store.heal();
        contexts.withPropertyValues("dynamolock.heartbeat.interval=20ms").run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            context.getBean(LockManager.class).revoke("job", lease.id());

            Awaitility.await().until(() -> moved().containsKey("dynamolock.lost{reason=revoked}"));
            assertThat(moved()).containsEntry("dynamolock.requests{operation=revoke, outcome=ok}", 1.0);
        });
    }

    @Test
    void countAHoldOnceWhoseLeaseWasLostBeforeItsRelease() {
        contexts.withPropertyValues("dynamolock.lease.duration=2s").run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            context.getBean(LockManager.class).revoke("job", lease.id());
            Awaitility.await().until(() -> moved().containsKey("dynamolock.hold{}"));

            lease.release();

            assertThat(moved())
                    .doesNotContainKey("dynamolock.release{outcome=released}")
                    .containsEntry("dynamolock.hold{}", 1.0)
                    .hasKeySatisfying(new Condition<>(meter -> meter.startsWith("dynamolock.lost{"), "a loss"));
        });
    }

    @Test
    void countAFailedRelease() {
        inDynamoDb.withPropertyValues("dynamolock.retry.max-attempts=1").run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            http.always(Fault.serverError());

            assertThatExceptionOfType(LockStoreException.class).isThrownBy(lease::release);

            assertThat(moved()).containsEntry("dynamolock.release{outcome=failed}", 1.0);
            http.always(Fault.none());
        });
    }

    @Test
    void countEachCallOnce() {
        contexts.withPropertyValues("dynamolock.retry.max-attempts=1").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            LockRequest patient = LockRequest.of("job").waitTime(Duration.ofMinutes(1));
            Lease outer = locks.acquire(LockRequest.of("job").reentrant(true));
            locks.acquire(LockRequest.of("job").reentrant(true)).close();
            assertThat(outcomes()).containsExactly(1.0, 0.0, 0.0, 0.0);

            CompletableFuture<Optional<Lease>> cancelled = locks.tryAcquireAsync(patient);
            Awaitility.await()
                    .until(() -> moved().containsKey("dynamolock.requests{operation=acquire, outcome=rejected}"));
            cancelled.cancel(true);
            Awaitility.await().untilAsserted(() -> assertThat(outcomes()).containsExactly(1.0, 0.0, 1.0, 0.0));

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> locks.acquire(patient));
            assertThat(locks.tryAcquireAsync(LockRequest.of("job")).join()).isEmpty();
            outer.close();
            locks.tryAcquireAsync(patient).join().orElseThrow().close();

            assertThat(outcomes()).containsExactly(2.0, 1.0, 1.0, 0.0);
        });
    }

    @Test
    void showHowWellTheStoresTimeIsKnown() {
        inDynamoDb.run(context -> {
            assertThat(context.getBean(LockManager.class).tryAcquire("job")).isPresent();

            assertThat(meters.get("dynamolock.clock.width").timeGauge().value(TimeUnit.SECONDS))
                    .isBetween(1.0, 60.0);
            assertThat(meters.get("dynamolock.clock.skew").timeGauge().value(TimeUnit.SECONDS))
                    .isBetween(-60.0, 60.0);
        });
    }

    @Test
    void countWhenTheStoresTimeIsGivenUp() {
        contexts.run(context -> {
            LockListener listener = context.getBean(LockMetrics.class).listener("dynamolockManager");
            listener.onClockUntrusted(LockListener.ClockProblem.CONTRADICTION);

            assertThat(moved()).containsExactly(Map.entry("dynamolock.clock.untrusted{reason=contradiction}", 1.0));
        });
    }

    @Test
    void stayAwayIfAFilterThrows() {
        meters.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                throw new IllegalStateException("on purpose, at " + id.getName());
            }
        });
        for (String lockNameTag : List.of("false", "true")) {
            contexts.withPropertyValues("dynamolock.metrics.lock-name-tag=" + lockNameTag)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        context.getBean(LockManager.class)
                                .tryAcquire("job")
                                .orElseThrow()
                                .release();
                        assertThat(meters.getMeters()).isEmpty();
                    });
        }
    }

    @Test
    void carryTheNameOnRequest() {
        contexts.withPropertyValues("dynamolock.metrics.lock-name-tag=true").run(context -> {
            context.getBean(LockManager.class).tryAcquire("one").orElseThrow().release();
            assertThat(context.getBean(LockManager.class).tryAcquire("other")).isPresent();

            assertThat(moved())
                    .containsEntry("dynamolock.acquire{lock=one, outcome=acquired}", 1.0)
                    .containsEntry("dynamolock.release{lock=one, outcome=released}", 1.0)
                    .containsEntry("dynamolock.acquire{lock=other, outcome=acquired}", 1.0)
                    .doesNotContainKey("dynamolock.acquire{outcome=acquired}");
        });
    }

    @Test
    void countCorruptRows() {
        inDynamoDb.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            ClosedLocks.close(context, "stuck");
            ClosedLocks.write(
                    context,
                    Map.of(
                            "lockName", AttributeValue.fromS("odd"),
                            "tokenFloor", AttributeValue.fromN("7"),
                            "metadata", AttributeValue.fromS("no map")));
            locks.inspect("stuck");
            locks.inspect("stuck");
            locks.inspect("odd");

            assertThat(moved())
                    .containsEntry("dynamolock.rows.corrupt{closed=true}", 1.0)
                    .containsEntry("dynamolock.rows.corrupt{closed=false}", 1.0);
        });
    }

    @Test
    void areBoundedWithTheNameToo(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.metrics.lock-name-tag=true").run(context -> {
            for (int i = 0; i < 1_100; i++) {
                context.getBean(LockManager.class).acquire("job-" + i).release();
            }

            Set<String> locks = meters.getMeters().stream()
                    .map(meter -> meter.getId().getTag("lock"))
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet());
            assertThat(locks).hasSize(1_001).contains("job-0", "job-999", "others");
            assertThat(moved())
                    .containsEntry("dynamolock.acquire{lock=others, outcome=acquired}", 100.0)
                    .containsEntry("dynamolock.acquire{lock=job-999, outcome=acquired}", 1.0);
            assertThat(output.getOut()).containsOnlyOnce("lock-name-tag");
        });
    }

    @Test
    void areBoundedWithoutTheName() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            locks.acquire("first").release();
            int before = meters.getMeters().size();
            for (int i = 0; i < 2_000; i++) {
                locks.acquire("job-" + i).release();
            }
            assertThat(meters.getMeters()).hasSize(before);

            EveryEvent.to(context.getBean(LockMetrics.class).listener("dynamolockManager"), locks);
            assertThat(meters.getMeters()).hasSizeLessThan(60);
        });
    }

    @Test
    void areAllDescribed() {
        contexts.run(context -> {
            EveryEvent.to(
                    context.getBean(LockMetrics.class).listener("dynamolockManager"),
                    context.getBean(LockManager.class));

            assertThat(meters.getMeters())
                    .hasSize(52)
                    .allSatisfy(
                            meter -> assertThat(meter.getId().getDescription()).isNotBlank());
        });
    }

    @Test
    void areRegisteredWhenTheyFirstCountUnlessTheyCountFaults() {
        contexts.run(context -> assertThat(meters.getMeters().stream()
                        .map(Meter::getId)
                        .map(LockMetricsTests::withTags)
                        .sorted()
                        .toList())
                .containsExactly(
                        "dynamolock.acquire{outcome=failed}",
                        "dynamolock.clock.skew{}",
                        "dynamolock.clock.untrusted{reason=contradiction}",
                        "dynamolock.clock.untrusted{reason=undated}",
                        "dynamolock.clock.width{}",
                        "dynamolock.draining{}",
                        "dynamolock.held{}",
                        "dynamolock.lost{reason=closed}",
                        "dynamolock.lost{reason=deleted}",
                        "dynamolock.lost{reason=expired}",
                        "dynamolock.lost{reason=max_hold}",
                        "dynamolock.lost{reason=revoked}",
                        "dynamolock.lost{reason=taken}",
                        "dynamolock.lost{reason=unreachable}",
                        "dynamolock.release{outcome=failed}",
                        "dynamolock.release{outcome=not_owned}",
                        "dynamolock.renew{outcome=failed}",
                        "dynamolock.retries.exhausted{}",
                        "dynamolock.rows.closed{}",
                        "dynamolock.rows.corrupt{closed=false}",
                        "dynamolock.rows.corrupt{closed=true}"));
    }

    @Test
    void areSwitchedOffLikeAnyOther() {
        contexts.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
                .withPropertyValues("management.metrics.enable.dynamolock=false")
                .run(context -> {
                    context.getBean(LockManager.class).acquire("job").release();

                    assertThat(meters.getMeters()).isEmpty();
                });
    }

    @Test
    void areNotThereWithoutMicrometer() {
        contexts.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockManager.class)
                        .doesNotHaveBean("dynamolockMetrics"));
    }

    @Test
    void areNotThereWithoutARegistryOrIfLocksAreDisabled() {
        TestClients.contexts()
                .withBean(LockStore.class, () -> store)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockMetrics.class));
        contexts.withPropertyValues("dynamolock.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
        });
    }

    /** Returns the counts of acquired, busy, cancelled and failed. */
    private List<Double> outcomes() {
        return Stream.of("acquired", "busy", "cancelled", "failed")
                .map(outcome -> moved().getOrDefault("dynamolock.acquire{outcome=" + outcome + "}", 0.0))
                .toList();
    }

    private void rival(String name) {
        LockManager rival = LockManager.builder(store).build();
        assertThat(rival.tryAcquire(name)).isPresent();
    }

    private Map<String, Double> moved() {
        Map<String, Double> counts = new TreeMap<>();
        for (Meter meter : meters.getMeters()) {
            double count = meter.measure().iterator().next().getValue();
            if (count > 0 && meter.getId().getType() != Meter.Type.GAUGE) {
                counts.put(withTags(meter.getId()), count);
            }
        }
        return counts;
    }

    private static String withTags(Meter.Id id) {
        TreeMap<String, String> tags = new TreeMap<>();
        id.getTags().forEach(tag -> tags.put(tag.getKey(), tag.getValue()));
        assertThat(tags.remove("manager")).isEqualTo("dynamolockManager");
        return id.getName() + tags;
    }
}
