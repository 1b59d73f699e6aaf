/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LeadershipEvent;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import software.amazon.awssdk.core.SdkClient;

/** Work that ends when its executor is destroyed, after the lifecycle phases, keeps its lock until then. */
class LateShutdownTests {

    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    private final CompletableFuture<Void> allStopped = new CompletableFuture<>();
    private final ApplicationContextRunner contexts = Locking.inMemory()
            .withPropertyValues("dynamolock.shutdown.grace-period=1ms")
            .withBean(Database.class)
            .withBean(Work.class)
            .withBean(AtStop.class, () -> new AtStop(Integer.MIN_VALUE, beans -> allStopped.complete(null)));

    @Test
    void scheduledJobKeepsItsLockWhileItsSchedulerAwaitsTermination() {
        contexts.withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withPropertyValues(awaiting("scheduling"))
                .withBean(Job.class)
                .run(context -> endsUnderItsLock(context, NOW));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads")
    void taskKeepsItsLockWhileItsExecutorAwaitsTermination(boolean virtual) {
        submits(contexts.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues(awaiting("execution"))
                .withPropertyValues("spring.threads.virtual.enabled=" + virtual));
    }

    /** Its executor would wait for a day, and the work for the end of its lease. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_19, disabledReason = "executors are shut down, and not closed")
    void executorThatIsClosedDoesNotDelayTheManagers() {
        contexts.withBean("own", ExecutorService.class, Executors::newSingleThreadExecutor)
                .run(context -> {
                    LockManager locks = context.getBean(LockManager.class);
                    CompletableFuture<Lease> held = new CompletableFuture<>();
                    context.getBean(Executor.class).execute(() -> {
                        Lease lease = locks.tryAcquire("work").orElseThrow();
                        held.complete(lease);
                        Awaitility.await().forever().until(() -> !lease.isHeld());
                    });
                    held.join();

                    assertThat(closing(context)).succeedsWithin(Duration.ofMinutes(1));
                });
    }

    /** It is created after its executor, and so destroyed before. */
    @Test
    void beanThatEndsItsWorkIsDestroyedBeforeItsExecutorAsWithoutLocks() {
        contexts.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues(awaiting("execution"))
                .withBean(EndsWork.class)
                .run(context -> {
                    context.getBean(Executor.class).execute(context.getBean(Work.class)::run);
                    Lease lease = context.getBean(Work.class).awaitLease();

                    assertThat(closing(context)).succeedsWithin(Duration.ofSeconds(30));
                    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
                });
    }

    /** Also if a manager needs the executor: work can use what was created before its executor. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void beanThatWorkUsesIsDestroyedAfterItsExecutorAsWithoutLocks(boolean managerNeedsExecutor) {
        ApplicationContextRunner runner = contexts.withPropertyValues("dynamolock.shutdown.grace-period=60s")
                .withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor);
        (managerNeedsExecutor ? runner.withBean(Audit.class) : runner).run(context -> {
            Database database = context.getBean(Database.class);
            CompletableFuture<Boolean> openAtTheEnd = new CompletableFuture<>();
            Work work = context.getBean(Work.class);
            context.getBean(Executor.class).execute(() -> {
                work.run();
                openAtTheEnd.complete(!database.closed.isDone());
            });
            work.awaitLease();

            CompletableFuture<Void> closing = closing(context);
            Awaitility.await().until(application(context)::isClosed);
            assertThat(work.end()).isTrue();
            assertThat(openAtTheEnd).succeedsWithin(Locking.TIMEOUT).isEqualTo(true);
            closing.join();
        });
    }

    private static ThreadPoolTaskExecutor waitingExecutor() {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setWaitForTasksToCompleteOnShutdown(true);
        executor.setAwaitTerminationSeconds(60);
        return executor;
    }

    static class Database implements DisposableBean {

        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

        @Override
        public void destroy() {
            closed.complete(true);
        }
    }

    record EndsWork(Work work, Executor createdBefore) implements DisposableBean {

        @Override
        public void destroy() {
            assertThat(work.end()).isTrue();
        }
    }

    @Test
    void workThatWaitsForALockDoesNotDelayTheShutdown() {
        contexts.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues(awaiting("execution"))
                .run(context -> {
                    LockManager locks = context.getBean(LockManager.class);
                    locks.acquire("busy");
                    CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                            () -> locks.acquireAsync(LockRequest.of("busy").waitTime(Duration.ofHours(1)))
                                    .join(),
                            context.getBean(Executor.class));

                    assertThat(closing(context)).succeedsWithin(Duration.ofSeconds(30));
                    assertThat(waiting).isCompletedExceptionally();
                });
    }

    /** The listener of a manager uses it until the manager is closed. */
    @Test
    void executorThatAManagerNeedsOutlivesIt() {
        contexts.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues(awaiting("execution"))
                .withBean(Audit.class)
                .run(context -> {
                    Audit audit = context.getBean(Audit.class);
                    context.getBean(LockManager.class).acquire("idle");

                    application(context).close();

                    assertThat(audit.written()).succeedsWithin(Locking.TIMEOUT);
                });
    }

    record Audit(AsyncTaskExecutor executor, CompletableFuture<Void> written) implements LockListener {

        @Autowired
        Audit(AsyncTaskExecutor executor) {
            this(executor, new CompletableFuture<>());
        }

        @Override
        public void onLost(Lease lease, LeaseLost lost) {
            executor.execute(() -> written.complete(null));
        }
    }

    /** A listener is told of the end of its manager, and an unrelated client is no part of it. */
    @Test
    void taskKeepsItsLockAlthoughListenerAndOtherClientDependOnItsExecutor() {
        submits(contexts.withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .withBean(Audit.class)
                .withBean(OtherClient.class));
    }

    record OtherClient(Executor executor) implements SdkClient {

        @Override
        public String serviceName() {
            return "s3";
        }

        @Override
        public void close() {}
    }

    @Test
    void taskKeepsItsLockInAnExecutorThatAwaitsItsThreads() {
        submits(contexts.withBean(SimpleAsyncTaskExecutor.class, () -> {
            SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
            executor.setTaskTerminationTimeout(60_000);
            return executor;
        }));
    }

    @Test
    void taskKeepsItsLockIfTheContextWasStoppedBeforeItIsClosed() {
        contexts.withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1ms")
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    context.getBean(Executor.class).execute(work::run);
                    Lease lease = work.awaitLease();
                    CompletableFuture<Void> stopping =
                            CompletableFuture.runAsync(application(context)::stop, new SimpleAsyncTaskExecutor());
                    allStopped.join();
                    CompletableFuture<Void> closing = closing(context);
                    Awaitility.await().until(application(context)::isClosed);

                    assertThat(work.end()).isTrue();

                    CompletableFuture.allOf(stopping, closing).join();
                    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
                });
    }

    /** Other work, of threads that Spring does not know, is waited for before any bean is destroyed, as usual. */
    @Test
    void idleExecutorDoesNotDelayTheManagers() {
        contexts.withPropertyValues("dynamolock.shutdown.grace-period=60s")
                .withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .withBean("later", Database.class)
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    new SimpleAsyncTaskExecutor().execute(work::run);
                    work.awaitLease();
                    LockManager locks = context.getBean(LockManager.class);
                    Database later = context.getBean("later", Database.class);
                    CompletableFuture<Void> closing = closing(context);
                    Awaitility.await()
                            .untilAsserted(() -> assertThatThrownBy(() -> locks.tryAcquire("other"))
                                    .isInstanceOf(LockManagerClosedException.class));

                    assertThat(later.closed).isNotDone();
                    assertThat(work.end()).isTrue();

                    closing.join();
                });
    }

    /** Work that runs as long as its process leads ends at once, and no other process leads before it has ended. */
    @Test
    void leaderKeepsItsLockUntilTheWorkOfItsExecutorHasEnded() {
        contexts.withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withPropertyValues("dynamolock.leader.name=boss")
                .withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .run(context -> {
                    Leadership leadership = context.getBean(Leadership.class);
                    Awaitility.await().until(leadership::isLeader);
                    Lease lease = leadership.lease().orElseThrow();
                    Work work = context.getBean(Work.class);
                    CompletableFuture<Boolean> heldAtTheEnd = new CompletableFuture<>();
                    context.getBean(Executor.class).execute(() -> {
                        work.run();
                        heldAtTheEnd.complete(lease.isHeld());
                    });
                    work.awaitLease();
                    CompletableFuture<Void> closing = closing(context);
                    allStopped.join();

                    assertThat(leadership.isLeader()).isFalse();
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(work.end()).isTrue();
                    assertThat(heldAtTheEnd).succeedsWithin(Locking.TIMEOUT).isEqualTo(true);

                    closing.join();
                    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
                });
    }

    /** Otherwise nothing would stop work that a listener is still starting. */
    @Test
    void endOfLeadershipIsPublishedAfterItsStart() {
        List<String> told = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> mayReturn = new CompletableFuture<>();
        contexts.withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withPropertyValues("dynamolock.leader.name=boss")
                .withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .withInitializer(context -> context.addApplicationListener(event -> {
                    if (event instanceof PayloadApplicationEvent<?> payload
                            && payload.getPayload() instanceof LeadershipEvent change) {
                        if (change instanceof LeadershipEvent.Granted) {
                            begun.complete(null);
                            mayReturn.join();
                        }
                        told.add(change.getClass().getSimpleName());
                        throw new IllegalStateException("on purpose");
                    }
                }))
                .run(context -> {
                    Leadership leadership = context.getBean(Leadership.class);
                    assertThat(begun).succeedsWithin(Locking.TIMEOUT);
                    Work work = context.getBean(Work.class);
                    context.getBean(Executor.class).execute(work::run);
                    work.awaitLease();
                    Lease lease = leadership.lease().orElseThrow();
                    CompletableFuture<Void> closing = closing(context);
                    Awaitility.await().until(() -> !leadership.isLeader());

                    mayReturn.complete(null);

                    allStopped.join();
                    assertThat(told).containsExactly("Granted", "Revoked");
                    assertThat(lease.isHeld())
                            .as("although a listener has failed")
                            .isTrue();
                    assertThat(work.end()).isTrue();
                    closing.join();
                    assertThat(told).containsExactly("Granted", "Revoked");
                });
    }

    /** Its proxy is a singleton, which would create one, or fail. */
    @Test
    void managerOfScopeIsNotCreatedByTheShutdown() {
        contexts.withUserConfiguration(ScopedManager.class)
                .withBean(ThreadPoolTaskExecutor.class, LateShutdownTests::waitingExecutor)
                .withInitializer(context -> context.getBeanFactory().registerScope("tenant", new SimpleThreadScope()))
                .run(context -> {
                    context.getBean(Executor.class).execute(context.getBean(Work.class)::run);
                    endsUnderItsLock(context, NOW);
                    assertThat(ScopedManager.CREATED).hasValue(0);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedManager {

        static final AtomicInteger CREATED = new AtomicInteger();

        @Bean(defaultCandidate = false)
        @Scope(scopeName = "tenant", proxyMode = ScopedProxyMode.INTERFACES)
        LockManager ofTenant() {
            CREATED.incrementAndGet();
            return LockManager.unlocked();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"quartzScheduler", "own"})
    void jobOfQuartzKeepsItsLockIfQuartzWaitsForIt(String name) {
        contexts.withBean(name, WaitingQuartz.class).run(context -> {
            Work work = context.getBean(Work.class);
            Scheduler quartz = context.getBean(Scheduler.class);
            quartz.setJobFactory((bundle, scheduler) -> execution -> work.run());
            quartz.scheduleJob(
                    JobBuilder.newJob(org.quartz.Job.class).build(),
                    TriggerBuilder.newTrigger().build());
            endsUnderItsLock(context, context.getBean(WaitingQuartz.class).closing);
        });
    }

    private void submits(ApplicationContextRunner runner) {
        runner.run(context -> {
            context.getBean(Executor.class).execute(context.getBean(Work.class)::run);
            endsUnderItsLock(context, NOW);
        });
    }

    private static String[] awaiting(String what) {
        String prefix = "spring.task." + what + ".shutdown.await-termination";
        return new String[] {prefix + "=true", prefix + "-period=60s"};
    }

    private void endsUnderItsLock(AssertableApplicationContext context, CompletableFuture<Void> event) {
        Work work = context.getBean(Work.class);
        Lease lease = work.awaitLease();
        LockManager locks = context.getBean(LockManager.class);

        CompletableFuture<Void> closing = closing(context);
        allStopped.join();
        event.join();

        assertThat(lease.isHeld()).isTrue();
        assertThat(work.end()).isTrue();
        closing.join();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThatThrownBy(() -> locks.acquire("work")).isInstanceOf(LockManagerClosedException.class);
    }

    private static ConfigurableApplicationContext application(AssertableApplicationContext context) {
        return context.getSourceApplicationContext(ConfigurableApplicationContext.class);
    }

    private static CompletableFuture<Void> closing(AssertableApplicationContext context) {
        return CompletableFuture.runAsync(application(context)::close, new SimpleAsyncTaskExecutor());
    }

    static class Work {

        private final CompletableFuture<Lease> started = new CompletableFuture<>();
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final CompletableFuture<Boolean> heldAtTheEnd = new CompletableFuture<>();

        public Lease awaitLease() {
            return started.orTimeout(1, TimeUnit.MINUTES).join();
        }

        public boolean end() {
            mayEnd.countDown();
            return heldAtTheEnd.orTimeout(1, TimeUnit.MINUTES).join();
        }

        @DistributedLock("work")
        public void run() {
            Lease lease = Locks.current().orElseThrow();
            started.complete(lease);
            Awaitility.await().until(() -> mayEnd.getCount() == 0);
            heldAtTheEnd.complete(lease.isHeld());
        }
    }

    static class WaitingQuartz extends SchedulerFactoryBean {

        private final CompletableFuture<Void> closing = new CompletableFuture<>();

        WaitingQuartz() {
            setWaitForJobsToCompleteOnShutdown(true);
        }

        @Override
        public void destroy() throws SchedulerException {
            closing.complete(null);
            super.destroy();
        }
    }

    @EnableScheduling
    static class Scheduling {}

    record Job(Work work) {

        @Scheduled(fixedDelay = 1)
        void run() {
            work.run();
        }
    }
}
