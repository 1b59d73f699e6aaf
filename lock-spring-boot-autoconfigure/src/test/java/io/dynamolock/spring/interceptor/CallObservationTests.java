/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.observation.LockObservationContext;
import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Every call is observed, including asynchronous ones: its signals in order, once, and in the caller's context. */
class CallObservationTests {

    private static final ThreadLocal<@Nullable String> USER = new ThreadLocal<>();
    private static final Duration SOON = Locking.TIMEOUT;

    private final Signals signals = new Signals();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withBean(ObservationRegistry.class, signals::registry)
            .withBean(Work.class);

    @BeforeEach
    void propagateTheUser() {
        ContextRegistry.getInstance().registerThreadLocalAccessor("user", USER);
    }

    @AfterEach
    void forgetTheUser() {
        ContextRegistry.getInstance().removeThreadLocalAccessor("user");
        USER.remove();
    }

    @Test
    void ofFutures() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            USER.set("somebody");

            assertThat(work.future().get(60, TimeUnit.SECONDS)).isEqualTo("in job");
            assertThatThrownBy(() -> work.failingFuture().get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("on purpose");
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.skippedFuture().get(60, TimeUnit.SECONDS)).isNull();
            }

            assertOneThatWorksOneThatFailsAndOneThatIsBusy("somebody");
        });
    }

    @Test
    void ofCallsThatBlock() {
        contexts.run(context -> {
            context.getBean(Work.class).plain();

            assertThat(signals.seen())
                    .containsExactly("started for null", "entered", "acquired", "left", "released", "stopped");
        });
    }

    private void assertOneThatWorksOneThatFailsAndOneThatIsBusy(String others) {
        assertThat(signals.seen())
                .containsExactly(
                        "started for somebody",
                        "acquired",
                        "entered",
                        "left",
                        "released",
                        "stopped",
                        "started for " + others,
                        "acquired",
                        "entered",
                        "left",
                        "released",
                        "failed on purpose",
                        "stopped",
                        "started for " + others,
                        "busy",
                        "stopped");
    }

    @Test
    void ofPublishers() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.mono()
                            .contextWrite(outer -> outer.put("user", "somebody"))
                            .block(SOON))
                    .isEqualTo("in job, observed as dynamolock.lock");
            assertThatThrownBy(() -> work.failingMono().block(SOON)).hasMessage("on purpose");
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.skippedMono().blockOptional(SOON)).isEmpty();
            }

            assertOneThatWorksOneThatFailsAndOneThatIsBusy("null");
        });
    }

    @Test
    void ofWhatIsCancelledWhileItWaits() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                Disposable subscription = work.patient().subscribe();
                Awaitility.await()
                        .until(() -> !context.getBean(Locking.class).waiting().isEmpty());
                subscription.dispose();

                Awaitility.await().until(() -> signals.seen().size() == 2);
            }
            assertThat(signals.seen()).containsExactly("started for null", "stopped");
        });
    }

    private static final class Signals implements ObservationHandler<LockObservationContext> {

        private final List<String> seen = new CopyOnWriteArrayList<>();

        ObservationRegistry registry() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(this);
            return registry;
        }

        List<String> seen() {
            return List.copyOf(seen);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof LockObservationContext;
        }

        @Override
        public void onStart(LockObservationContext context) {
            seen.add("started for " + USER.get());
        }

        @Override
        public void onScopeOpened(LockObservationContext context) {
            seen.add("entered");
        }

        @Override
        public void onScopeClosed(LockObservationContext context) {
            seen.add("left");
        }

        @Override
        public void onEvent(Observation.Event event, LockObservationContext context) {
            seen.add(event.getName());
        }

        @Override
        public void onError(LockObservationContext context) {
            seen.add("failed " + Objects.requireNonNull(context.getError()).getMessage());
        }

        @Override
        public void onStop(LockObservationContext context) {
            seen.add("stopped");
        }
    }

    static class Work {

        private static String here() {
            return "in " + Locks.current().orElseThrow().name();
        }

        @DistributedLock("job")
        public void plain() {}

        @DistributedLock("job")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(here());
        }

        @DistributedLock("job")
        public CompletableFuture<String> failingFuture() {
            return CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public CompletableFuture<String> skippedFuture() {
            return CompletableFuture.completedFuture(here());
        }

        @DistributedLock("job")
        public Mono<String> mono() {
            String here = here();
            return Mono.deferContextual(context -> Mono.just(here + ", observed as "
                    + context.<Observation>get(ObservationThreadLocalAccessor.KEY)
                            .getContext()
                            .getName()));
        }

        @DistributedLock("job")
        public Mono<String> failingMono() {
            return Mono.error(new IllegalStateException("on purpose"));
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Mono<String> skippedMono() {
            return Mono.just(Objects.requireNonNull(here()));
        }

        @DistributedLock(name = "job", waitTime = "1m")
        public Mono<String> patient() {
            return Mono.just(here());
        }
    }
}
