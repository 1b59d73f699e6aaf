/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockState;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.coordination.LeaderElection;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.util.ReflectionTestUtils;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Locks during the shutdown of the application. */
@ExtendWith(LogCapture.class)
class LockManagerLifecycleTests {

    private final FaultyHttpClient http = TestClients.http();
    private final String table = TestClients.newTableName();
    private final ApplicationContextRunner contexts =
            TestClients.contexts(http).withPropertyValues("dynamolock.table.name=" + table);

    @Test
    void holdersCanReleaseUntilTheGracePeriodIsOver(CapturedOutput output) {
        Set<Thread> before = threads();
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=60s").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Lease one = locks.tryAcquire("one").orElseThrow();
            Lease other = locks.tryAcquire("other").orElseThrow();
            Thread closing =
                    new Thread(context.getSourceApplicationContext(ConfigurableApplicationContext.class)::close);
            closing.start();
            Awaitility.await().until(() -> isClosed(locks));

            one.release();
            other.close();
            closing.join(60_000);

            assertThat(closing.isAlive()).isFalse();
            assertThat(state("one").status()).isEqualTo(LockState.Status.FREE);
            assertThat(state("other").status()).isEqualTo(LockState.Status.FREE);
            assertThatIllegalStateException().isThrownBy(() -> locks.tryAcquire("one"));
            Awaitility.await().until(() -> before.containsAll(threads()));
            assertThat(output.getOut().lines()) // also of tests that run concurrently
                    .noneMatch(
                            line -> line.contains("Exception") && (line.contains("'one'") || line.contains("'other'")));
        });
    }

    @Test
    void stoppedContextAcquiresNothingUntilItIsStartedAgain() {
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=100ms").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            Lease before = locks.tryAcquire("before").orElseThrow();

            application.stop();
            assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(() -> locks.tryAcquire("job"));
            assertThat(before.verify()).isTrue();
            application.start();

            assertThat(locks.tryAcquire("job")).isPresent();
            before.close();
        });
    }

    @Test
    void electionThatCannotBeStoppedKeepsNoOtherRunning() {
        LeaderElection failing = LeaderElection.of(managerWhoseAttemptsCannotBeCancelled(), "leader");
        LeaderElection other = LeaderElection.of(LockManager.unlocked(), "leader");
        contexts.withInitializer(context -> {
                    context.getBeanFactory().registerSingleton("failing", failing); // not destroyed by the context
                    context.getBeanFactory().registerSingleton("other", other);
                })
                .run(context -> {
                    failing.start();
                    other.start();
                });

        assertThat(other).asString().endsWith(", stopped]");
    }

    @Test
    void electionsEndSideBySide() {
        CountDownLatch otherEnds = new CountDownLatch(1);
        AtomicBoolean together = new AtomicBoolean();
        LeaderElection first =
                LeaderElection.of(LockManager.unlocked(), "leader").onRevoked(() -> together.set(isOpened(otherEnds)));
        LeaderElection other =
                LeaderElection.of(LockManager.unlocked(), "leader").onRevoked(otherEnds::countDown);
        contexts.withInitializer(context -> {
                    context.getBeanFactory().registerSingleton("first", first);
                    context.getBeanFactory().registerSingleton("other", other);
                })
                .run(context -> {
                    start(first);
                    start(other);
                });

        assertThat(together).isTrue();
    }

    private static void start(LeaderElection election) {
        CountDownLatch elected = new CountDownLatch(1);
        election.onElected(lease -> elected.countDown()).start();
        Locking.await(elected);
    }

    /** Less than an election waits for its callbacks. */
    private static boolean isOpened(CountDownLatch latch) {
        try {
            return latch.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static LockManager managerWhoseAttemptsCannotBeCancelled() {
        CompletableFuture<Void> attempt = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                throw new IllegalStateException("on purpose");
            }
        };
        LockManager real = LockManager.unlocked();
        return (LockManager) Proxy.newProxyInstance(
                LockManager.class.getClassLoader(),
                new Class<?>[] {LockManager.class},
                (proxy, method, arguments) ->
                        method.getName().equals("tryAcquireAsync") ? attempt : method.invoke(real, arguments));
    }

    @Test
    void contextThatWasStoppedClosesItsManagersBeforeBeansAreDestroyed() {
        contexts.withBean(UsesLocksWhenDestroyed.class).run(context -> {
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            UsesLocksWhenDestroyed bean = context.getBean(UsesLocksWhenDestroyed.class);

            application.stop();
            application.close();

            assertThat(bean.foundThemClosed).isTrue();
        });
    }

    /** As after a checkpoint (CRaC), and after {@code pause()}. */
    @ParameterizedTest
    @CsvSource({"stopForRestart, restartAfterStop", "onPause, onRestart"})
    void restoredContextLocksAgain(String stop, String restart) {
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=100ms").run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            LifecycleProcessor processor = context.getBean(LifecycleProcessor.class);
            Lease before = locks.tryAcquire("before").orElseThrow();

            ReflectionTestUtils.invokeMethod(processor, stop);
            ReflectionTestUtils.invokeMethod(processor, restart);

            assertThat(locks.tryAcquire("job").map(Lease::release)).contains(ReleaseOutcome.RELEASED);
            assertThat(before.release()).isEqualTo(ReleaseOutcome.RELEASED);
        });
    }

    @Test
    void managerThatIsDrainedByTheApplicationStaysSo() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            locks.startDraining();

            application.stop();
            application.start();

            assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(() -> locks.tryAcquire("job"));
        });
    }

    @Test
    void lazyManagerIsNotCreatedAndNothingIsSent() {
        contexts.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                                    .getBeanFactory()
                                    .containsSingleton("dynamolockManager"))
                            .isFalse();
                    assertThat(http.attempts()).isEmpty();
                });
    }

    @Test
    void openLeaseExpiresWithItsOwnClientToo() {
        TestClients.contexts()
                .withPropertyValues(TestClients.ownClient())
                .withPropertyValues("dynamolock.table.name=" + table)
                .run(context -> {
                    assertThat(context.getBean(LockManager.class).tryAcquire("one"))
                            .isPresent();
                    DynamoDbClient client = context.getBean("dynamolockDefaultClient", DynamoDbClient.class);

                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .close();

                    assertThat(state("one").status()).isEqualTo(LockState.Status.HELD);
                    assertThatIllegalStateException().isThrownBy(client::listTables);
                });
    }

    @Test
    void letsRunningWorkEndUnderItsLease() {
        contexts.withBean(Work.class)
                .withPropertyValues(
                        "dynamolock.lease.duration=5m",
                        "dynamolock.heartbeat.interval=20ms",
                        "dynamolock.shutdown.grace-period=60s")
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    Thread worker = new Thread(() -> work.run());
                    worker.start();
                    assertThat(work.awaitStart()).isTrue();
                    Thread closing = new Thread(
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class)::close);
                    closing.start();

                    int before = http.count("UpdateItem");
                    Awaitility.await().until(() -> http.count("UpdateItem") > before + 5);

                    assertThat(state("work").status()).isEqualTo(LockState.Status.HELD);
                    assertThat(closing.isAlive()).isTrue();
                    work.finish();

                    closing.join(60_000);
                    assertThat(closing.isAlive()).isFalse();
                    assertThat(state("work").status()).isEqualTo(LockState.Status.FREE);
                });
    }

    @Test
    void releasesNothingUnderWorkThatDoesNotEnd(CapturedOutput output) {
        contexts.withBean(Work.class)
                .withPropertyValues("dynamolock.lease.duration=5m", "dynamolock.shutdown.grace-period=1s")
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    CompletableFuture<Void> worker =
                            CompletableFuture.runAsync(work::run, new SimpleAsyncTaskExecutor());
                    assertThat(work.awaitStart()).isTrue();
                    assertThat(context.getBean(LockManager.class).tryAcquire("idle"))
                            .isPresent();
                    ConfigurableApplicationContext application =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);

                    assertThat(CompletableFuture.runAsync(application::close, new SimpleAsyncTaskExecutor()))
                            .succeedsWithin(Duration.ofSeconds(10));

                    assertThat(state("work").status()).isEqualTo(LockState.Status.HELD);
                    assertThat(state("idle").status()).isEqualTo(LockState.Status.HELD);
                    work.finish();
                    assertThat(worker)
                            .failsWithin(Duration.ofMinutes(1))
                            .withThrowableThat()
                            .withCauseInstanceOf(LeaseLostException.class);
                    assertThat(state("work").status()).isEqualTo(LockState.Status.HELD);
                    assertThat(output.getOut()).doesNotContain("\tat ");
                });
    }

    @Test
    void stopsAfterSchedulersAndEverythingWithAPhase() {
        AtomicBoolean acquired = new AtomicBoolean();
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=10s")
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withBean(Job.class)
                .withBean(
                        AtStop.class,
                        () -> new AtStop(-1_000, beans -> {
                            try (Lease lease = beans.getBean(LockManager.class)
                                    .tryAcquire("last")
                                    .orElseThrow()) {
                                acquired.set(lease.isHeld());
                            }
                        }))
                .run(context -> {
                    Job job = context.getBean(Job.class);
                    assertThat(job.awaitStart()).isTrue();

                    context.getSourceApplicationContext(ConfigurableApplicationContext.class)
                            .close();

                    assertThat(acquired).isTrue();
                    assertThat(job.completed()).isTrue();
                    assertThat(state("job").status()).isEqualTo(LockState.Status.FREE);
                });
    }

    @Test
    void closesEveryManagerWhateverOneDoes() {
        LockManager broken = (LockManager) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockManager.class}, (proxy, method, args) -> {
                    throw new IllegalStateException("broken");
                });
        LockManager good = LockManager.builder(new InMemoryLockStore()).build();

        contexts.withBean("broken", LockManager.class, () -> broken, bean -> bean.setDestroyMethodName(""))
                .withBean("good", LockManager.class, () -> good, bean -> bean.setDestroyMethodName(""))
                .run(context -> {});

        assertThatIllegalStateException().isThrownBy(() -> good.tryAcquire("x")).withMessageContaining("closed");
    }

    @Test
    void isNotPausedWithItsContext() {
        contexts.run(context -> assertThat(
                        context.getBean(LockManagerLifecycle.class).isPauseable())
                .isFalse());
    }

    private LockState state(String name) {
        try (LockManager observer = LockManager.builder(DynamoDbLockStore.builder(LocalDynamoDb.client())
                        .tableName(table)
                        .build())
                .build()) {
            return observer.inspect(name);
        }
    }

    private static boolean isClosed(LockManager locks) {
        try {
            locks.inspect("one");
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    /** Returns the threads of all lock managers in this JVM. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("dynamolock"))
                .collect(Collectors.toSet());
    }

    static class Work {

        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch finish = new CountDownLatch(1);

        @DistributedLock("work")
        public void run() {
            started.countDown();
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> finish.await(1, TimeUnit.MILLISECONDS));
        }

        public boolean awaitStart() throws InterruptedException {
            return started.await(60, TimeUnit.SECONDS);
        }

        public void finish() {
            finish.countDown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Job implements ApplicationListener<ContextClosedEvent> {

        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final AtomicBoolean completed = new AtomicBoolean();

        @Scheduled(fixedDelay = 1, initialDelay = 1)
        @DistributedLock("job")
        public void run() throws InterruptedException {
            started.countDown();
            completed.set(closing.await(60, TimeUnit.SECONDS));
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            closing.countDown();
        }

        public boolean awaitStart() throws InterruptedException {
            return started.await(60, TimeUnit.SECONDS);
        }

        public boolean completed() {
            return completed.get();
        }
    }

    static class UsesLocksWhenDestroyed implements DisposableBean {

        private final LockManager locks;
        boolean foundThemClosed;

        UsesLocksWhenDestroyed(LockManager locks) {
            this.locks = locks;
        }

        @Override
        public void destroy() {
            foundThemClosed = isClosed(locks);
        }
    }
}
