/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.ForwardingStore;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStore;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Methods that return a future: the lock is held until the future is completed. */
class FutureTests {

    private final ApplicationContextRunner contexts = Locking.quick()
            .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
            .withBean(Work.class);

    @Test
    void holdUntilTheFutureIsCompleted() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> result = work.run();
            Awaitility.await().until(() -> work.entered() == 1);

            assertThat(locks.inspect("job").status()).isEqualTo(LockState.Status.HELD);
            assertThat(result).isNotDone();
            work.future().complete("done");

            assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(locks.inspect("job").status()).isEqualTo(LockState.Status.FREE);
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    @Test
    void passTheFailureOnAndRelease() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.run();
            IllegalArgumentException failure = new IllegalArgumentException("on purpose");
            work.future().completeExceptionally(failure);

            assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).cause().isSameAs(failure);
            assertThatThrownBy(() -> work.throwing().get(60, TimeUnit.SECONDS)).hasRootCauseMessage("at once");

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job", "+job", "-job");
        });
    }

    @Test
    void runOnAThreadThatMayBlock() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            work.future().complete("");

            work.run().get(60, TimeUnit.SECONDS);

            assertThat(work.thread())
                    .isNotEqualTo(Thread.currentThread().getName())
                    .doesNotStartWith("dynamolock");
        });
    }

    @Test
    void carryTheContextOfTheCaller() {
        ThreadLocal<String> user = new ThreadLocal<>();
        ContextRegistry.getInstance().registerThreadLocalAccessor("user", user);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader own = new URLClassLoader(new URL[0], before)) {
            contexts.run(context -> {
                user.set("somebody");
                Thread.currentThread().setContextClassLoader(own);

                String seen = context.getBean(Work.class)
                        .seen(() -> user.get()
                                + (Thread.currentThread().getContextClassLoader() == own ? " with" : " without"))
                        .get(60, TimeUnit.SECONDS);

                assertThat(seen).isEqualTo("somebody with");
            });
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            ContextRegistry.getInstance().removeThreadLocalAccessor("user");
        }
    }

    @Test
    void doNotBlockTheCallerWhileItWaits() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            work.future().complete("done");
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();

            CompletableFuture<String> waiting = work.patient();
            boolean early = waiting.isDone();
            held.release();

            assertThat(early).isFalse();
            assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void failOrSkipIfTheLockIsBusy() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("job").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                assertThatThrownBy(() -> work.run().get(60, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(LockBusyException.class);
                assertThat(work.skips().toCompletableFuture().get(60, TimeUnit.SECONDS))
                        .isNull();
            }
            assertThat(work.entered()).isEqualTo(0);
        });
    }

    @Test
    void areCancelledWithTheirWork() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.run();
            Awaitility.await()
                    .until(() -> work.entered() == 1 && work.future().getNumberOfDependents() > 0); // it is known

            result.cancel(true);

            Awaitility.await()
                    .until(() -> context.getBean(Locking.class).events().contains("-job"));
            assertThat(work.future()).isCancelled();
        });
    }

    @Test
    void areCancelledWithTheirWait() {
        SteppedManager stepped = new SteppedManager();
        stepped(stepped).run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            Lease held = locks.tryAcquire("job").orElseThrow();
            CompletableFuture<String> waiting = work.patient();

            waiting.cancel(true);
            held.release();

            assertThat(stepped.acquisitions())
                    .singleElement()
                    .satisfies(wait -> assertThat(wait).isCancelled());
            Awaitility.await().until(() -> locks.tryAcquire("job").isPresent());
            assertThat(work.entered()).isEqualTo(0);
        });
    }

    @Test
    void endTheirWaitWhenTheirCallerCompletesThem() {
        SteppedManager stepped = new SteppedManager();
        stepped(stepped).run(context -> {
            Lease held = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            CompletableFuture<String> waiting = context.getBean(Work.class).patient();

            waiting.completeExceptionally(new TimeoutException()); // as orTimeout does

            assertThat(stepped.acquisitions())
                    .singleElement()
                    .satisfies(wait -> assertThat(wait).isCancelled());
            held.release();
        });
    }

    @Test
    void doNotRunIfCancelledWhileTheirLockIsAcquired() {
        SteppedManager stepped = new SteppedManager();
        stepped(stepped).run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> result = work.run();
            Runnable goOn = stepped.nextStep();

            result.cancel(true);
            goOn.run();

            assertThat(work.entered()).isEqualTo(0);
            Awaitility.await().until(() -> locks.inspect("job").status() == LockState.Status.FREE);
        });
    }

    @Test
    void areCancelledWithWorkThatTheirMethodBegins() {
        SteppedManager stepped = new SteppedManager();
        stepped(stepped).run(context -> {
            Work work = context.getBean(Work.class);
            AtomicReference<@Nullable CompletableFuture<String>> result = new AtomicReference<>();
            result.set(work.first(() -> Objects.requireNonNull(result.get()).cancel(true)));

            stepped.nextStep().run();

            assertThat(work.entered()).isEqualTo(1);
            assertThat(work.future()).isCancelled();
        });
    }

    @Test
    void areCancelledWithWorkThatIsNoFutureItself() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> result = work.stage().toCompletableFuture();
            Awaitility.await().until(() -> work.entered() == 1);

            result.cancel(true);

            Awaitility.await().until(() -> work.future().isCancelled());
        });
    }

    @Test
    void leaveTheContextOfTheirThreadAsItWas() {
        SteppedManager stepped = new SteppedManager();
        stepped(stepped).run(context -> {
            CompletableFuture<String> result = context.getBean(Work.class).run();
            Runnable goOn = stepped.nextStep();
            Thread thread = Thread.currentThread();
            ClassLoader callers = thread.getContextClassLoader();
            try (URLClassLoader own = new URLClassLoader(new URL[0], callers)) {
                thread.setContextClassLoader(own);

                goOn.run();

                assertThat(thread.getContextClassLoader()).isSameAs(own);
            } finally {
                thread.setContextClassLoader(callers);
            }
            result.cancel(true);
        });
    }

    @Test
    void failIfTheLockHasNoName() {
        contexts.run(context -> {
            CompletableFuture<String> result = context.getBean(Work.class).named(null);

            assertThat(result)
                    .failsWithin(Locking.TIMEOUT)
                    .withThrowableThat()
                    .withMessageContaining("#{#id} evaluates to null");
        });
    }

    @Test
    void completeAfterTheRelease() {
        AtomicReference<@Nullable CompletableFuture<String>> result = new AtomicReference<>();
        List<Boolean> told = new CopyOnWriteArrayList<>();
        LockStore store = new ForwardingStore() {
            @Override
            public Response release(Release write, Duration timeout) {
                told.add(Objects.requireNonNull(result.get()).isDone());
                return super.release(write, timeout);
            }
        };
        contexts.withBean(LockStore.class, () -> store).run(context -> {
            Work work = context.getBean(Work.class);
            CompletableFuture<String> running = work.run();
            result.set(running);

            work.future().complete("done");

            assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(told).containsExactly(false);
        });
    }

    @Test
    void knowTheirLeaseWhileTheMethodRuns() {
        contexts.run(context -> {
            Lease lease = context.getBean(Work.class).lease(null).get(60, TimeUnit.SECONDS);

            assertThat(lease.name()).isEqualTo("job");
            assertThat(lease.isHeld()).isFalse();
            assertThat(Locks.current()).isEmpty();
        });
    }

    @Test
    void areCancelledOnLossIfTheySaySo() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> result = work.interruptible();
            Awaitility.await().until(() -> work.entered() == 1);

            locks.forceRelease("job", String.valueOf(locks.inspect("job").leaseId()));

            assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
            assertThat(work.future()).isCancelled();
        });
    }

    @Test
    void failIfTheLockWasLostMeanwhile() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> result = work.run();
            Awaitility.await().until(() -> work.entered() == 1);

            locks.forceRelease("job", String.valueOf(locks.inspect("job").leaseId()));
            Awaitility.await().until(() -> context.getBean(Locking.class).lost().contains("job"));
            work.future().complete("done");

            assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        });
    }

    @Test
    void areWaitedForWhenTheManagerCloses() {
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=60s").run(context -> {
            Work work = context.getBean(Work.class);
            LockManager locks = context.getBean(LockManager.class);
            CompletableFuture<String> result = work.run();
            Awaitility.await().until(() -> work.entered() == 1);
            Thread closing = new Thread(locks::close);
            closing.start();
            Awaitility.await().until(() -> Locking.isWaiting(closing));

            assertThat(context.getBean(Locking.class).events()).containsExactly("+job");
            work.future().complete("done");

            closing.join(60_000);
            assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(context.getBean(Locking.class).events()).containsExactly("+job", "-job");
        });
    }

    private ApplicationContextRunner stepped(SteppedManager stepped) {
        return contexts.withBean(LockManager.class, stepped::manager)
                .withBean("applicationTaskExecutor", Executor.class, stepped::executor);
    }

    static class Work {

        private final CompletableFuture<String> future = new CompletableFuture<>();
        private final AtomicInteger entered = new AtomicInteger();
        private volatile String thread = "";

        public CompletableFuture<String> future() {
            return future;
        }

        public int entered() {
            return entered.get();
        }

        public String thread() {
            return thread;
        }

        @DistributedLock("job")
        public CompletableFuture<String> run() {
            return enter();
        }

        @DistributedLock(name = "job", waitTime = "2m")
        public CompletableFuture<String> patient() {
            return enter();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.SKIP)
        public CompletionStage<String> skips() {
            return enter();
        }

        @DistributedLock(name = "job", onLost = OnLost.INTERRUPT)
        public CompletableFuture<String> interruptible() {
            return enter();
        }

        @DistributedLock("job")
        public CompletableFuture<String> first(Runnable step) {
            step.run();
            return enter();
        }

        @DistributedLock("job-#{#id}")
        public CompletableFuture<String> named(@Nullable String id) {
            return enter();
        }

        /** Returns a stage that can be cancelled only through its future. */
        @DistributedLock("job")
        @SuppressWarnings("unchecked") // it is made as one
        public CompletionStage<String> stage() {
            CompletableFuture<String> work = enter();
            return (CompletionStage<String>) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {CompletionStage.class},
                    (proxy, method, arguments) -> method.invoke(work, arguments));
        }

        @DistributedLock("job")
        public CompletableFuture<String> throwing() {
            throw new IllegalStateException("at once");
        }

        @DistributedLock("job")
        public CompletableFuture<Lease> lease(@Nullable Lease lease) {
            assertThat(Locks.current()).contains(Objects.requireNonNull(lease));
            return CompletableFuture.completedFuture(lease);
        }

        @DistributedLock("job")
        public CompletableFuture<String> seen(Supplier<String> what) {
            return CompletableFuture.completedFuture(what.get());
        }

        private CompletableFuture<String> enter() {
            thread = Thread.currentThread().getName();
            entered.incrementAndGet();
            return future;
        }
    }
}
