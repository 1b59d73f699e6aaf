/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.boot.DynamolockMetricsAutoConfiguration;
import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
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
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Traces of calls of locked methods, and the meters derived from them. */
class LockObservationTests {

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
    private final List<Observation.Event> events = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withConfiguration(AutoConfigurations.of(DynamolockMetricsAutoConfiguration.class))
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
            public void onEvent(Observation.Event event, Observation.Context context) {
                events.add(event);
            }

            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }
        });
    }

    @Test
    void isOneOfTheCallWithEvents() {
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            TestObservationRegistryAssert.assertThat(observations)
                    .hasNumberOfObservationsEqualTo(1)
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
            assertThat(eventNames()).containsExactly("acquired", "released");
            assertThat(observations.getCurrentObservation()).isNull();
        });
    }

    @Test
    void isAlsoOfCallThatCannotBeEvaluated() {
        contexts.withBean(Unclear.class).run(context -> {
            Unclear unclear = context.getBean(Unclear.class);
            assertThatThrownBy(() -> unclear.name(null)).hasMessageContaining("Cannot evaluate the lock name");
            assertThat(unclear.condition(null)).isCompletedExceptionally();

            assertThat(stopped)
                    .map(each -> each.getLowCardinalityKeyValues().stream()
                            .map(KeyValue::getValue)
                            .toList())
                    .containsExactly(
                            List.of("dynamolockManager", "failed", "order-#{#id.length()}"),
                            List.of("dynamolockManager", "failed", "job"));
            assertThat(stopped).allSatisfy(each -> assertThat(each.getError()).isNotNull());
        });
    }

    @Test
    void isAsDocumented() {
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo("dynamolock.lock")
                    .that()
                    .hasOnlyKeys(Stream.of(
                                    LockObservation.CALL.getLowCardinalityKeyNames(),
                                    LockObservation.CALL.getHighCardinalityKeyNames())
                            .flatMap(Stream::of)
                            .map(KeyName::asString)
                            .toArray(String[]::new));
            assertThat(LockObservation.CALL.getEvents()).containsAll(events);
        });
    }

    @Test
    void knowsTheCall() throws NoSuchMethodException {
        Method method = Jobs.class.getMethod("run", String.class);
        contexts.run(context -> {
            context.getBean(Jobs.class).run("7");

            assertThat(calls()).singleElement().isInstanceOfSatisfying(LockObservationContext.class, call -> {
                assertThat(call.getMethod()).isEqualTo(method);
                assertThat(call.getLockName()).isEqualTo("job-7");
                assertThat(Objects.requireNonNull(call.getLease()).name()).isEqualTo("job-7");
            });
        });
    }

    @Test
    void hasAnEventAtTheTimeOfALoss() {
        contexts.withPropertyValues("dynamolock.heartbeat.interval=20ms", "dynamolock.on-lost=event")
                .run(context -> {
                    LeaseLost lost = context.getBean(Jobs.class).loses(context.getBean(LockManager.class));

                    assertThat(eventNames()).containsExactly("acquired", "lost");
                    assertThat(events.get(1).getWallTime()).isEqualTo(lost.at().toEpochMilli());
                });
    }

    @Test
    void isASpanAroundWhatTheMethodDoes() {
        SimpleTracer tracer = new SimpleTracer();
        observations.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
        contexts.run(context -> {
            Observation.createNotStarted("request", observations)
                    .observe(() -> context.getBean(Jobs.class).works(observations));

            List<SimpleSpan> spans = new ArrayList<>(tracer.getSpans());
            assertThat(spans)
                    .extracting(SimpleSpan::getName)
                    .containsExactlyInAnyOrder("request", "lock work", "inner");
            SimpleSpan lock = named(spans, "lock work");
            assertThat(lock.getParentId()).isEqualTo(named(spans, "request").getSpanId());
            assertThat(named(spans, "inner").getParentId()).isEqualTo(lock.getSpanId());
            assertThat(lock.getEvents()).extracting(Map.Entry::getValue).containsExactly("acquired", "released");
            assertThat(lock.getTags()).containsEntry("lock", "work").containsEntry("outcome", "acquired");
        });
    }

    @Test
    void lastsUntilFutureIsDoneAndIsCurrentInMethod() {
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void hasStoppedAndIsNotCurrentInContinuationsOfTheFuture(boolean doneAtOnce) {
        contexts.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context -> {
                    CompletableFuture<String> gate = new CompletableFuture<>();
                    if (doneAtOnce) {
                        gate.complete("done");
                    }
                    CompletableFuture<String> result =
                            context.getBean(Jobs.class).later(gate, observations);
                    CompletableFuture<Boolean> current = result.thenApply(done -> {
                        assertThat(calls()).hasSize(1);
                        return observations.getCurrentObservation() != null;
                    });

                    gate.complete("done");

                    assertThat(current).succeedsWithin(Locking.TIMEOUT).isEqualTo(false);
                });
    }

    @Test
    void lastsUntilAPublisherIsDoneAndIsInItsContext() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);

            assertThat(jobs.reactive().block()).isEqualTo("dynamolock.lock");

            assertThat(calls()).extracting(LockObservationTests::outcome).containsExactly("acquired");
            assertThat(stopped).extracting(Observation.Context::getName).containsExactly("dynamolock.lock");
        });
    }

    @Test
    void distinguishesBusyFromFailed() {
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
            assertThat(eventNames()).containsExactly("busy", "busy", "acquired", "released", "acquired", "released");
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
    void saysSkippedIfTheManagerDrains() {
        contexts.run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            context.getBean(LockManager.class).startDraining();

            jobs.skips();
            assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(() -> jobs.run("7"));

            assertThat(calls()).extracting(LockObservationTests::outcome).containsExactly("skipped", "failed");
            assertThat(calls().get(0).getError()).isNull();
            assertThat(calls().get(1).getError()).isInstanceOf(LockManagerDrainingException.class);
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
                    assertThat(meters.get("dynamolock.lock.released")
                                    .tag("template", "job-#{#id}")
                                    .tag("outcome", "acquired")
                                    .counter()
                                    .count())
                            .isEqualTo(1_001);
                });
    }

    @Test
    void isSwitchedOffLikeAnyOther() {
        contexts.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
                .withPropertyValues("management.observations.enable.dynamolock=false")
                .run(context -> {
                    assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7");

                    TestObservationRegistryAssert.assertThat(observations).doesNotHaveAnyObservation();
                });
    }

    @Test
    void needsNoMeterRegistry() {
        contexts.withClassLoader(new FilteredClassLoader("io.micrometer.core")).run(context -> {
            context.getBean(Jobs.class).run("7");

            assertThat(calls()).hasSize(1);
        });
    }

    @Test
    void isNotThereWithoutOneRegistry() {
        ApplicationContextRunner unobserved = Locking.inMemory().withBean(Jobs.class);
        unobserved.run(
                context -> assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7"));
        unobserved
                .withBean("one", ObservationRegistry.class, () -> observations)
                .withBean("another", ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context.getBean(Jobs.class).run("7")).isEqualTo("done 7"));
        assertThat(stopped).isEmpty();
    }

    private List<String> eventNames() {
        return events.stream().map(Observation.Event::getName).toList();
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

    public static class Jobs { // its proxy may be of another class loader

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

        @DistributedLock("lost")
        public LeaseLost loses(LockManager locks) {
            Lease lease = Locks.current().orElseThrow();
            locks.revoke(lease.name(), lease.id());
            return lease.lost().toCompletableFuture().join();
        }

        @DistributedLock("fails")
        public void fails() {
            throw new IllegalStateException("on purpose");
        }
    }

    static class Unclear {

        @DistributedLock("order-#{#id.length()}")
        public void name(@Nullable String id) {}

        @DistributedLock(name = "job", condition = "#{#id.isEmpty()}")
        public CompletableFuture<String> condition(@Nullable String id) {
            return CompletableFuture.completedFuture(id);
        }
    }
}
