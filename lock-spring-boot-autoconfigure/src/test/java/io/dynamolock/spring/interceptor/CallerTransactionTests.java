/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.spring.OnBusy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A method whose lock is not held until the caller's transaction has completed is not in that transaction: what it writes
 * is committed before its lock is released.
 */
@ExtendWith(LogCapture.class)
class CallerTransactionTests {

    private final ApplicationContextRunner alone =
            Locking.withDatabase(Locking.quick(), "caller").withBean(Journal.class);
    private final ApplicationContextRunner contexts = alone.withConfiguration(
                    AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
            .withPropertyValues("spring.task.execution.pool.core-size=1");

    @Test
    void futureWithoutExecutorIsOutside() {
        alone.run(context -> assertThat(inTransaction(context)).isEqualTo("committed"));
    }

    @Test
    void futureOfCallerOnTheExecutorIsOutside() {
        contexts.run(context -> {
            CompletableFuture<String> outcome =
                    context.getBean(AsyncTaskExecutor.class).submitCompletable(() -> inTransaction(context));

            assertThat(outcome.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("committed");
        });
    }

    @Test
    void futureOfExecutorWithoutThreadsIsOutside() {
        withExecutor(true).run(context -> assertThat(inTransaction(context)).isEqualTo("committed"));
    }

    @Test
    void threadOutsideHasContextOfCallerAndKeepsProcessAlive() {
        ThreadLocal<String> tenant = new ThreadLocal<>();
        TaskDecorator copying = task -> {
            String value = tenant.get();
            return () -> {
                tenant.set(value);
                task.run();
                tenant.remove();
            };
        };
        alone.withBean(TaskDecorator.class, () -> copying).run(context -> {
            tenant.set("acme");
            Call call = transaction(context)
                    .execute(status ->
                            context.getBean(Journal.class).call(tenant).join());
            tenant.remove();

            assertThat(call).isNotNull();
            assertThat(call.thread().getName()).isEqualTo("dynamolock-call");
            assertThat(call.thread().isDaemon()).isFalse();
            assertThat(call.tenant()).isEqualTo("acme");
        });
    }

    @Test
    void futureThatCannotGetOutsideFails() {
        AtomicInteger decorated = new AtomicInteger();
        TaskDecorator failing = task -> {
            if (decorated.incrementAndGet() == 2) {
                throw new IllegalStateException("no thread");
            }
            return task;
        };
        withExecutor(true)
                .withBean(TaskDecorator.class, () -> failing)
                .run(context -> transaction(context)
                        .executeWithoutResult(status -> assertThat(
                                        context.getBean(Journal.class).write())
                                .failsWithin(Locking.TIMEOUT)
                                .withThrowableThat()
                                .withMessageContaining("no thread")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void futureWhoseTaskIsNotRunOnItsThreadFails(boolean executor) {
        TaskDecorator dropping = task -> () -> {
            if (!Thread.currentThread().getName().equals("dynamolock-call")) {
                task.run();
            }
        };
        withExecutor(executor).withBean(TaskDecorator.class, () -> dropping).run(context -> {
            transaction(context)
                    .executeWithoutResult(
                            status -> assertThat(context.getBean(Journal.class).write())
                                    .failsWithin(Locking.TIMEOUT)
                                    .withThrowableThat()
                                    .withMessageContaining("a TaskDecorator did not run it"));
            assertThat(context.getBean(LockManager.class).inspect("journal").status())
                    .isEqualTo(Status.FREE);
        });
    }

    private ApplicationContextRunner withExecutor(boolean executor) {
        return executor
                ? alone.withBean("applicationTaskExecutor", Executor.class, SyncTaskExecutor::new)
                        .withBean(LockManager.class, LockManager::unlocked) // which acquires on the caller's thread
                : alone;
    }

    @Test
    void fallbackWhileManagerDrainsIsOutside() {
        alone.run(context -> {
            context.getBean(LockManager.class).startDraining();
            Boolean joined = transaction(context)
                    .execute(status ->
                            context.getBean(Journal.class).writeOrElse().join());

            assertThat(joined).isFalse();
        });
    }

    @Test
    void futureInsideOfSuchOneNeedsNoThreadOfTheExecutor() {
        contexts.withBean(Outer.class).run(context -> {
            CompletableFuture<String> outcome = context.getBean(AsyncTaskExecutor.class)
                    .submitCompletable(() -> inTransaction(
                            context, () -> context.getBean(Outer.class).write()));

            assertThat(outcome.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo("committed");
        });
    }

    @Test
    void futureOutsideOfTransactionStaysOnThreadOfItsCaller() {
        alone.run(context -> assertThat(context.getBean(Journal.class)
                        .call(new ThreadLocal<>())
                        .get()
                        .thread())
                .isSameAs(Thread.currentThread()));
    }

    @Test
    void suspendingFunctionInTransactionIsWarnedOfOnce(CapturedOutput output) {
        alone.withBean(KotlinWork.class).run(context -> {
            KotlinWork work = context.getBean(KotlinWork.class);

            KotlinCalls.nothing(work);
            transaction(context).executeWithoutResult(status -> afterCompletion(() -> KotlinCalls.nothing(work)));
            assertThat(output).doesNotContain("suspending function");
            transaction(context).executeWithoutResult(status -> {
                KotlinCalls.nothing(work);
                KotlinCalls.nothing(work);
            });

            assertThat(output)
                    .containsOnlyOnce("KotlinWork.nothing is a suspending function that was called in a"
                            + " transaction of its thread. Its lock is released");
        });
    }

    @Test
    void suspendingFunctionInTransactionIsNotWarnedOfIfNoLockIsHeldForOne(CapturedOutput output) {
        alone.withBean(KotlinWork.class)
                .withPropertyValues("dynamolock.annotation.hold-until-transaction-completes=false")
                .run(context -> {
                    transaction(context)
                            .executeWithoutResult(status -> KotlinCalls.nothing(context.getBean(KotlinWork.class)));

                    assertThat(output).doesNotContain("suspending function");
                });
    }

    private static void afterCompletion(Runnable task) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int outcome) {
                task.run();
            }
        });
    }

    private static String inTransaction(ApplicationContext context) {
        return inTransaction(context, () -> context.getBean(Journal.class).write());
    }

    /** Returns what becomes of a row that a locked method writes while its caller is in a transaction that rolls back. */
    private static String inTransaction(ApplicationContext context, Supplier<CompletableFuture<Boolean>> write) {
        Journal journal = context.getBean(Journal.class);
        String outcome = transaction(context).execute(status -> {
            boolean joined = write.get().join();
            status.setRollbackOnly();
            Status lock = context.getBean(LockManager.class).inspect("journal").status();
            return joined ? "in the transaction, lock " + lock : "committed";
        });
        assertThat(journal.rows()).isEqualTo("committed".equals(outcome) ? 1 : 0);
        return Objects.requireNonNull(outcome);
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    record Call(Thread thread, @Nullable String tenant) {}

    static class Journal {

        private final JdbcTemplate jdbc;

        Journal(DataSource database) {
            this.jdbc = new JdbcTemplate(database);
            jdbc.execute("drop table if exists journal");
            jdbc.execute("create table journal (entry int)");
        }

        @DistributedLock("journal")
        CompletableFuture<Boolean> write() {
            jdbc.update("insert into journal values (1)");
            return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
        }

        @DistributedLock(name = "journal", onBusy = OnBusy.FALLBACK, fallback = "joined")
        CompletableFuture<Boolean> writeOrElse() {
            return write();
        }

        CompletableFuture<Boolean> joined() {
            return CompletableFuture.completedFuture(TransactionSynchronizationManager.isActualTransactionActive());
        }

        @DistributedLock("journal")
        CompletableFuture<Call> call(ThreadLocal<String> tenant) {
            return CompletableFuture.completedFuture(new Call(Thread.currentThread(), tenant.get()));
        }

        int rows() {
            return Objects.requireNonNull(jdbc.queryForObject("select count(*) from journal", Integer.class));
        }
    }

    static class Outer {

        private final Journal journal;

        Outer(Journal journal) {
            this.journal = journal;
        }

        @DistributedLock("outer")
        CompletableFuture<Boolean> write() {
            return CompletableFuture.completedFuture(journal.write().join());
        }
    }
}
