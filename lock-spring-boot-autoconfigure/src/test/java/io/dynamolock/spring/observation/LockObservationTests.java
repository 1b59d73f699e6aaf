/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.CallWatch;
import io.dynamolock.spring.CallWatcher;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.dynamolock.spring.boot.DynamolockObservationAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Traces of calls of locked methods, and the meters derived from them. */
class LockObservationTests {

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(
                    DynamolockObservationAutoConfiguration.class, DynamolockMetricsAutoConfiguration.class))
            .withBean(ObservationRegistry.class, () -> observations)
            .withBean(Jobs.class);

    @BeforeEach
    void remember() {
        observations.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }
        });
    }

    @Test
    void isOfTheCallAndItsPhases() {
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            TestObservationRegistryAssert.assertThat(observations)
                    .hasNumberOfObservationsEqualTo(4)
                    .hasObservationWithNameEqualTo("dynamolock.lock")
                    .that()
                    .hasBeenStopped()
                    .hasContextualNameEqualTo("lock job-#{#id}")
                    .hasLowCardinalityKeyValue("template", "job-#{#id}")
                    .hasLowCardinalityKeyValue("manager", "dynamolockManager")
                    .hasLowCardinalityKeyValue("outcome", "acquired")
                    .hasHighCardinalityKeyValue("lock", "job-7")
                    .hasHighCardinalityKeyValueWithKey("fencing.token")
                    .doesNotHaveError();
            assertThat(observations.getCurrentObservation()).isNull();
        });
    }

    @Test
    void isAsDocumented() {
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo("dynamolock.lock")
                    .that()
                    .hasSubsetOfKeys(
                            LockObservation.CALL.getLowCardinalityKeyNames()[0].asString(),
                            LockObservation.CALL.getLowCardinalityKeyNames()[1].asString(),
                            LockObservation.CALL.getLowCardinalityKeyNames()[2].asString(),
                            LockObservation.CALL.getHighCardinalityKeyNames()[0].asString(),
                            LockObservation.CALL.getHighCardinalityKeyNames()[1].asString());
            for (LockObservation phase :
                    List.of(LockObservation.ACQUIRE, LockObservation.HOLD, LockObservation.RELEASE)) {
                TestObservationRegistryAssert.assertThat(observations)
                        .hasObservationWithNameEqualTo(Objects.requireNonNull(phase.getName()))
                        .that()
                        .hasBeenStopped()
                        .hasContextualNameEqualTo(Objects.requireNonNull(phase.getContextualName()))
                        .hasOnlyKeys("template", "manager");
            }
        });
    }

    @Test
    void isATraceOfAcquiringHoldingAndReleasing() {
        SimpleTracer tracer = new SimpleTracer();
        observations.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
        contexts.run(context -> {
            Observation.createNotStarted("request", observations)
                    .observe(() -> context.getBean(Jobs.class).works(observations));

            List<SimpleSpan> spans = new ArrayList<>(tracer.getSpans());
            assertThat(spans)
                    .extracting(SimpleSpan::getName)
                    .containsExactlyInAnyOrder("request", "lock work", "acquire", "hold", "inner", "release");
            SimpleSpan lock = named(spans, "lock work");
            assertThat(lock.getParentId()).isEqualTo(named(spans, "request").getSpanId());
            assertThat(List.of("acquire", "hold", "inner", "release"))
                    .allSatisfy(child ->
                            assertThat(named(spans, child).getParentId()).isEqualTo(lock.getSpanId()));
            assertThat(named(spans, "acquire").getEndTimestamp())
                    .isBeforeOrEqualTo(named(spans, "hold").getStartTimestamp());
            assertThat(named(spans, "hold").getEndTimestamp())
                    .isBeforeOrEqualTo(named(spans, "release").getStartTimestamp());
            assertThat(lock.getTags()).containsEntry("lock", "work").containsEntry("outcome", "acquired");
        });
    }

    @Test
    void lastsUntilAFutureIsDoneAndIsCurrentInTheMethod() {
        contexts.run(context -> {
            CompletableFuture<String> gate = new CompletableFuture<>();
            Jobs jobs = context.getBean(Jobs.class);
            CompletableFuture<String> result =
                    Observation.createNotStarted("request", observations).observe(() -> jobs.later(gate, observations));
            Awaitility.await().until(() -> stopped.stream().anyMatch(seen -> "inner".equals(seen.getName())));
            assertThat(calls()).isEmpty();

            gate.complete("done");

            assertThat(result.join()).isEqualTo("done");
            assertThat(calls()).singleElement().satisfies(call -> {
                assertThat(outcome(call)).isEqualTo("acquired");
                assertThat(parent(call)).isEqualTo("request");
            });
            assertThat(stopped)
                    .filteredOn(seen -> "inner".equals(seen.getName()))
                    .singleElement()
                    .satisfies(inner -> assertThat(parent(inner)).isEqualTo("dynamolock.lock"));
        });
    }

    @Test
    void lastsUntilAPublisherIsDoneAndIsInItsContext() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            assertThat(jobs.reactive().block()).isEqualTo("dynamolock.lock");

            assertThat(calls()).extracting(LockObservationTests::outcome).containsExactly("acquired");
            assertThat(stopped)
                    .extracting(Observation.Context::getName)
                    .containsExactly(
                            "dynamolock.lock.acquire",
                            "dynamolock.lock.hold",
                            "dynamolock.lock.release",
                            "dynamolock.lock");
        });
    }

    @Test
    void tellsBusyFromFailed() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            Lease lease = context.getBean(LockManager.class).tryAcquire("job-7").orElseThrow();
            assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> jobs.run("7"));
            jobs.skips();
            lease.release();
            assertThatIllegalStateException().isThrownBy(jobs::fails);
            assertThatExceptionOfType(LockBusyException.class)
                    .isThrownBy(() -> jobs.busyWithin(context.getBean(LockManager.class)));

            assertThat(calls())
                    .extracting(LockObservationTests::outcome)
                    .containsExactly("busy", "busy", "acquired", "acquired");
            assertThat(calls())
                    .extracting(Observation.Context::getError)
                    .satisfiesExactly(
                            error -> assertThat(error).isNull(),
                            error -> assertThat(error).isNull(),
                            error -> assertThat(error).hasMessage("on purpose"),
                            error -> assertThat(error).isInstanceOf(LockBusyException.class));
        });
    }

    @Test
    void saysFailedIfTheLockCouldNotBeAskedFor() {
        contexts.run(context -> {
            context.getBean(LockManager.class).close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Jobs.class).run("7"));

            assertThat(calls()).singleElement().satisfies(call -> {
                assertThat(outcome(call)).isEqualTo("failed");
                assertThat(call.getError()).isInstanceOf(IllegalStateException.class);
            });
        });
    }

    @Test
    void takesTheNamesOfTheApplication() {
        contexts.withBean(LockObservationConvention.class, () -> new DefaultLockObservationConvention() {
                    @Override
                    public String getName() {
                        return "our.locks";
                    }
                })
                .run(context -> {
                    context.getBean(Jobs.class).run("7");

                    assertThat(stopped)
                            .extracting(Observation.Context::getName)
                            .contains("our.locks")
                            .doesNotContain("dynamolock.lock");
                });
    }

    @Test
    void givesBoundedMetersHoweverManyNamesThereAre() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        contexts.withBean(MeterRegistry.class, () -> meters)
                .withAllowBeanDefinitionOverriding(true)
                .withBean("registry", ObservationRegistry.class, () -> registry, bean -> bean.setPrimary(true))
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    jobs.run("first");
                    int before = meters.getMeters().size();

                    for (int i = 0; i < 1_000; i++) {
                        jobs.run("order " + i);
                    }

                    assertThat(meters.getMeters()).hasSize(before);
                    assertThat(meters.get("dynamolock.lock")
                                    .tag("template", "job-#{#id}")
                                    .tag("outcome", "acquired")
                                    .timer()
                                    .count())
                            .isEqualTo(1_001);
                });
    }

    @Test
    void harmsNoCallHoweverItFails() {
        for (String when : List.of("start", "open", "close", "stop", "error", "supports")) {
            ObservationRegistry broken = ObservationRegistry.create();
            broken.observationConfig().observationHandler(new FailingHandler(when));
            Locking.inMemory()
                    .withConfiguration(AutoConfigurations.of(DynamolockObservationAutoConfiguration.class))
                    .withBean(ObservationRegistry.class, () -> broken)
                    .withBean(Jobs.class)
                    .run(context -> {
                        Jobs jobs = context.getBean(Jobs.class);

                        assertThat(jobs.run("7")).as(when).isEqualTo("done 7");
                        assertThatIllegalStateException()
                                .isThrownBy(jobs::fails)
                                .withMessage("on purpose");

                        assertThat(context.getBean(Locking.class).events())
                                .as(when)
                                .containsExactly("+job-7", "-job-7", "+fails", "-fails");
                        assertThat(broken.getCurrentObservation()).as(when).isNull();
                    });
        }
    }

    @Test
    void harmsNoCallIfAWatchOfTheApplicationFails() {
        CallWatch broken = (CallWatch) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CallWatch.class}, (proxy, method, args) -> {
                    throw new IllegalStateException("broken");
                });
        contexts.withBean(CallWatcher.class, () -> call -> broken).run(context -> {
            assertThat(context).doesNotHaveBean("dynamolockObservations");
            assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7");
        });
    }

    @Test
    void isSwitchedOffLikeAnyOther() {
        observations.observationConfig().observationPredicate((name, context) -> !name.startsWith("dynamolock"));
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            TestObservationRegistryAssert.assertThat(observations).doesNotHaveAnyObservation();
        });
    }

    @Test
    void isNotThereWithoutMicrometerOrARegistry() {
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockObservationAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("dynamolockObservations"));
        Locking.inMemory()
                .withConfiguration(AutoConfigurations.of(DynamolockObservationAutoConfiguration.class))
                .withBean(Jobs.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean("dynamolockObservations");
                    assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7");
                });
    }

    private List<Observation.Context> calls() {
        return stopped.stream()
                .filter(context -> Objects.equals(context.getName(), "dynamolock.lock"))
                .toList();
    }

    private static @Nullable String parent(Observation.Context child) {
        return Objects.requireNonNull(child.getParentObservation())
                .getContextView()
                .getName();
    }

    private static @Nullable String outcome(Observation.Context call) {
        return Objects.requireNonNull(call.getLowCardinalityKeyValue("outcome")).getValue();
    }

    private static SimpleSpan named(List<SimpleSpan> spans, String name) {
        return spans.stream()
                .filter(span -> name.equals(span.getName()))
                .findFirst()
                .orElseThrow();
    }

    static class Jobs {

        @DistributedLock("job-#{#id}")
        public String run(String id) {
            return "done " + id;
        }

        @DistributedLock("work")
        public void works(ObservationRegistry observations) {
            Observation.createNotStarted("inner", observations).observe(() -> {});
        }

        @DistributedLock(name = "job-7", onBusy = OnBusy.SKIP)
        public void skips() {}

        @DistributedLock("later")
        public CompletableFuture<String> later(CompletableFuture<String> gate, ObservationRegistry observations) {
            works(observations);
            return gate;
        }

        @DistributedLock("reactive")
        public Mono<String> reactive() {
            return Mono.deferContextual(context ->
                    Mono.just(Objects.requireNonNull(context.<Observation>get(ObservationThreadLocalAccessor.KEY)
                            .getContext()
                            .getName())));
        }

        @DistributedLock("outer")
        public void busyWithin(LockManager locks) throws InterruptedException {
            try (Lease held = locks.acquire("inner")) {
                locks.acquire(held.name());
            }
        }

        @DistributedLock("fails")
        public void fails() {
            throw new IllegalStateException("on purpose");
        }
    }

    private record FailingHandler(String when) implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            fail("supports");
            return true;
        }

        @Override
        public void onStart(Observation.Context context) {
            fail("start");
        }

        @Override
        public void onError(Observation.Context context) {
            fail("error");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            fail("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            fail("close");
        }

        @Override
        public void onStop(Observation.Context context) {
            fail("stop");
        }

        private void fail(String event) {
            if (event.equals(when)) {
                throw new UnsupportedOperationException("handler broken at " + event);
            }
        }
    }
}
