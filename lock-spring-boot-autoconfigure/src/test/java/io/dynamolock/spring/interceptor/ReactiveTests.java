/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Methods that return a publisher: each subscription holds the lock until it ends. */
class ReactiveTests {

    private static final Duration SOON = Locking.TIMEOUT;

    private final ApplicationContextRunner contexts = Locking.quick().withBean(Work.class);

    @Test
    void lockEachSubscriptionAndNotTheCall() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Locking locking = context.getBean(Locking.class);

            Mono<String> mono = work.mono("7");
            List<String> atCall = locking.events();
            String value = mono.block(SOON);
            List<String> afterOne = locking.events();
            mono.repeat(1).blockLast(SOON);

            assertThat(atCall).isEmpty();
            assertThat(value).isEqualTo("HELD");
            assertThat(afterOne).containsExactly("+job-7", "-job-7");
            assertThat(locking.acquired()).containsExactly("job-7", "job-7", "job-7");
            assertThat(work.entered()).isEqualTo(3);
        });
    }

    @Test
    void holdUntilTheLastElementAndCompleteAfterTheRelease() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Locking locking = context.getBean(Locking.class);
            List<String> seen = new CopyOnWriteArrayList<>();
            Flux<String> flux = work.flux()
                    .doOnNext(element -> seen.add(element + locking.events()))
                    .doOnComplete(() -> seen.add("end" + locking.events()));

            flux.blockLast(SOON);

            assertThat(seen).containsExactly("a[+job]", "b[+job]", "end[+job, -job]");
        });
    }

    @Test
    void releaseOnErrorAndOnCancellation() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Locking locking = context.getBean(Locking.class);

            assertThatThrownBy(() -> work.failing().block(SOON)).hasMessage("on purpose");
            assertThatThrownBy(() -> work.throwing().block(SOON)).hasMessage("at once");
            assertThat(locking.events()).containsExactly("+job", "-job", "+job", "-job");
            Disposable subscription = work.never().subscribe();
            Awaitility.await().until(() -> work.entered() == 1);
            subscription.dispose();

            Awaitility.await().until(() -> locking.events().size() == 6);
            assertThat(locking.events()).endsWith("+job", "-job");
        });
    }

    @Test
    void releaseOnceHoweverManyCancel() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            for (int i = 0; i < 200; i++) {
                Disposable subscription = work.never().subscribe(value -> {}, failure -> {});
                if (i % 2 == 0) {
                    Schedulers.parallel().schedule(subscription::dispose);
                }
                subscription.dispose();
            }

            Awaitility.await().until(() -> locks.held().findAny().isEmpty());
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(locks.inspect("job").status()).isEqualTo(LockState.Status.FREE));
            List<String> events = context.getBean(Locking.class).events();
            assertThat(events.stream().filter("-job"::equals).count())
                    .isLessThanOrEqualTo(events.stream().filter("+job"::equals).count());
        });
    }

    @Test
    void waitWithoutBlockingTheSubscribersThread() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            Scheduler loop = Schedulers.newSingle("loop");

            Mono<String> waiting = Mono.defer(work::patient).subscribeOn(loop).cache();
            waiting.subscribe();
            assertThat(CompletableFuture.runAsync(() -> {}, loop::schedule)).succeedsWithin(SOON);
            Awaitility.await()
                    .until(() -> !context.getBean(Locking.class).waiting().isEmpty());
            assertThat(CompletableFuture.runAsync(() -> {}, loop::schedule)).succeedsWithin(SOON);
            boolean early = work.entered() > 0;
            held.release();

            assertThat(waiting.block(SOON)).isEqualTo("done");
            assertThat(early).isFalse();
            assertThat(work.thread()).startsWith("boundedElastic");
        });
    }

    @Test
    void canBeSubscribedToByAnEventLoop() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            List<String> values = Flux.range(0, 50)
                    .flatMap(i -> work.mono("" + i).subscribeOn(Schedulers.parallel()))
                    .collectList()
                    .block(SOON);

            assertThat(values).hasSize(50).containsOnly("HELD");
        });
    }

    @Test
    void failOrSkipIfTheLockIsBusy() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> work.flux().blockLast(SOON)).isInstanceOf(LockBusyException.class);
                assertThat(work.skippedMono().blockOptional(SOON)).isEmpty();
                assertThat(work.skippedFlux().collectList().block(SOON)).isEmpty();
            }
            assertThat(work.entered()).isEqualTo(0);
        });
    }

    @Test
    void waitForTheirLockNoLongerThanTheirSubscription() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            try (Lease held = locks.tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                Disposable subscription = work.patient().subscribe();

                assertThat(CompletableFuture.runAsync(subscription::dispose)).succeedsWithin(SOON);
            }

            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
            assertThat(work.entered()).isZero();
        });
    }

    @Test
    void failIfAnotherLockIsBusyWithin() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> work.busyWithin().block(SOON))
                        .isInstanceOfSatisfying(
                                LockBusyException.class,
                                busy -> assertThat(busy.lockName()).isEqualTo("job"));
            }
        });
    }

    @Test
    void adaptOtherTypes() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertThat(work.single().blockingGet()).isEqualTo("HELD");
            assertThat(Flux.from(work.publisher()).blockLast(SOON)).isEqualTo("HELD");
            assertThat(JdkFlowAdapter.flowPublisherToFlux(work.flow()).blockLast(SOON))
                    .isEqualTo("HELD");

            assertThat(context.getBean(Locking.class).events())
                    .containsExactly("+job", "-job", "+job", "-job", "+job", "-job");
        });
    }

    @Test
    void knowTheirLeaseByParameterContextAndThread() {
        contexts.run(context -> {
            List<String> names = context.getBean(Work.class)
                    .leases(null)
                    .contextWrite(outer -> outer.put("user", "u"))
                    .block(SOON);

            assertThat(names).containsExactly("job", "job", "job", "u");
        });
    }

    @Test
    void knowTheirLeaseEverywhereIfContextsArePropagated() {
        Hooks.enableAutomaticContextPropagation();
        try {
            contexts.run(context -> {
                List<String> names = context.getBean(Work.class).currents().block(SOON);

                assertThat(names).containsExactly("job", "job");
                assertThat(Locks.current()).isEmpty();
            });
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    @Test
    void areCancelledOnLossIfTheySaySo() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            Sinks.One<String> end = Sinks.one();
            Mono<String> running = work.interruptible().doOnError(end::tryEmitError);
            running.subscribe(value -> {}, failure -> {});
            Awaitility.await().until(() -> work.entered() == 1);

            locks.forceRelease("job", String.valueOf(locks.inspect("job").leaseId()));

            assertThatThrownBy(() -> end.asMono().block(SOON))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("has failed: java.util.concurrent.CancellationException");
            Awaitility.await().until(() -> work.cancelled() == 1);
        });
    }

    @Test
    void failIfTheLockWasLostMeanwhile() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Sinks.One<String> work = Sinks.one();
            CompletableFuture<String> result =
                    context.getBean(Work.class).until(work.asMono()).toFuture();
            Awaitility.await().until(() -> context.getBean(Work.class).entered() == 1);

            locks.forceRelease("job", String.valueOf(locks.inspect("job").leaseId()));
            Awaitility.await().until(() -> context.getBean(Locking.class).lost().contains("job"));
            work.tryEmitValue("done").orThrow();

            assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeaseLostException.class);
        });
    }

    static class Work {

        private final LockManager locks;
        private final AtomicInteger entered = new AtomicInteger();
        private final AtomicInteger cancelled = new AtomicInteger();
        private volatile String thread = "";

        Work(LockManager locks) {
            this.locks = locks;
        }

        public int entered() {
            return entered.get();
        }

        public int cancelled() {
            return cancelled.get();
        }

        public String thread() {
            return thread;
        }

        private String state(String name) {
            return locks.inspect(name).status().name();
        }

        @DistributedLock("job-#{#id}")
        public Mono<String> mono(String id) {
            entered.incrementAndGet();
            return Mono.fromCallable(() -> state("job-" + id)).subscribeOn(Schedulers.boundedElastic());
        }

        @DistributedLock("job")
        public Mono<String> until(Mono<String> end) {
            entered.incrementAndGet();
            return end;
        }

        @DistributedLock("job")
        public Flux<String> flux() {
            entered.incrementAndGet();
            return Flux.just("a", "b");
        }

        @DistributedLock("job")
        public Mono<String> failing() {
            return Mono.error(new IllegalStateException("on purpose"));
        }

        @DistributedLock("job")
        public Mono<String> throwing() {
            throw new IllegalStateException("at once");
        }

        @DistributedLock("job")
        public Mono<String> never() {
            entered.incrementAndGet();
            return Mono.never();
        }

        @DistributedLock(name = "job", onLost = OnLost.INTERRUPT)
        public Mono<String> interruptible() {
            entered.incrementAndGet();
            return Mono.<String>never().doOnCancel(cancelled::incrementAndGet);
        }

        @DistributedLock(name = "job", waitTime = "2m")
        public Mono<String> patient() {
            entered.incrementAndGet();
            thread = Thread.currentThread().getName();
            return Mono.just("done");
        }

        @DistributedLock(name = "outer", onBusy = OnBusy.SKIP)
        public Mono<String> busyWithin() {
            return Mono.fromFuture(() -> locks.acquireAsync(LockRequest.of("job")))
                    .map(Lease::name);
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Mono<String> skippedMono() {
            entered.incrementAndGet();
            return Mono.just("");
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public Flux<String> skippedFlux() {
            entered.incrementAndGet();
            return Flux.just("");
        }

        @DistributedLock("job")
        public Single<String> single() {
            return Single.fromCallable(() -> state("job"));
        }

        @DistributedLock("job")
        public Publisher<String> publisher() {
            return Mono.fromCallable(() -> state("job"));
        }

        @DistributedLock("job")
        public Flow.Publisher<String> flow() {
            return JdkFlowAdapter.publisherToFlowPublisher(Mono.fromCallable(() -> state("job")));
        }

        @DistributedLock("job")
        public Mono<List<String>> leases(@Nullable Lease lease) {
            String byParameter = lease == null ? "none" : lease.name();
            String here = Locks.current().orElseThrow().name();
            return Mono.deferContextual(context -> Mono.just(
                    List.of(byParameter, here, context.get(Lease.class).name(), context.get("user"))));
        }

        @DistributedLock("job")
        public Mono<List<String>> currents() {
            return Mono.fromCallable(() -> Locks.current().orElseThrow().name())
                    .delayElement(Duration.ofMillis(1), Schedulers.parallel())
                    .map(first -> List.of(first, Locks.current().orElseThrow().name()));
        }
    }
}
