/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.spring.CallWatch;
import io.dynamolock.spring.CallWatcher;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LockedCall;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.micrometer.context.ContextRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

/** A call watcher is notified of every call, including asynchronous ones: in order, once, and in the caller's context. */
class AsyncWatchTests {

    private static final ThreadLocal<@Nullable String> USER = new ThreadLocal<>();
    private static final Duration SOON = Locking.PATIENCE;

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Watching.class).withBean(Work.class);

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

            assertToldOfOneThatWorksOneThatFailsAndOneThatIsBusy(context.getBean(Watching.class), "somebody");
        });
    }

    @Test
    void ofCallsThatBlock() {
        contexts.run(context -> {
            context.getBean(Work.class).plain();

            assertThat(context.getBean(Watching.class).told())
                    .containsExactly("starts for null", "entered", "acquired", "worked", "left", "ended");
        });
    }

    private static void assertToldOfOneThatWorksOneThatFailsAndOneThatIsBusy(Watching watching, String others) {
        assertThat(watching.told())
                .containsExactly(
                        "starts for somebody",
                        "acquired",
                        "entered",
                        "left",
                        "worked",
                        "ended",
                        "starts for " + others,
                        "acquired",
                        "entered",
                        "left",
                        "worked",
                        "ended on purpose",
                        "starts for " + others,
                        "busy",
                        "ended");
    }

    @Test
    void ofPublishers() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.mono()
                            .contextWrite(outer -> outer.put("user", "somebody"))
                            .block(SOON))
                    .isEqualTo("in job, watched");
            assertThatThrownBy(() -> work.failingMono().block(SOON)).hasMessage("on purpose");
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThat(work.skippedMono().blockOptional(SOON)).isEmpty();
            }

            assertToldOfOneThatWorksOneThatFailsAndOneThatIsBusy(context.getBean(Watching.class), "null");
        });
    }

    @Test
    void ofWhatIsCancelledWhileItWaits() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Watching watching = context.getBean(Watching.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                Disposable subscription = work.patient().subscribe();
                Awaitility.await()
                        .until(() -> !context.getBean(Locking.class).waiting().isEmpty());
                subscription.dispose();

                Awaitility.await().until(() -> watching.told().size() == 2);
            }
            assertThat(watching.told()).containsExactly("starts for null", "ended");
        });
    }

    static class Watching implements CallWatcher {

        private final List<String> told = new CopyOnWriteArrayList<>();

        List<String> told() {
            return List.copyOf(told);
        }

        @Override
        public CallWatch starts(LockedCall call) {
            told.add("starts for " + USER.get());
            return new CallWatch() {
                @Override
                public Scope enter() {
                    told.add("entered");
                    return () -> told.add("left");
                }

                @Override
                public Map<Object, Object> context() {
                    return Map.of("watch", "watched");
                }

                @Override
                public void acquired(Lease lease) {
                    told.add("acquired");
                }

                @Override
                public void busy() {
                    told.add("busy");
                }

                @Override
                public void worked() {
                    told.add("worked");
                }

                @Override
                public void ended(@Nullable Throwable failure) {
                    told.add(failure == null ? "ended" : "ended " + failure.getMessage());
                }
            };
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
            return Mono.deferContextual(context -> Mono.just(here + ", " + context.get("watch")));
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
