/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;
import io.dynamolock.dynamodb.FaultyHttpClient;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.OnlyOnLeader;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** With {@code dynamolock.enabled=false}, each kind of locked method runs without a lock. */
class UnlockedMethodsTests {

    private final FaultyHttpClient http = TestClients.http();
    private final ApplicationContextRunner contexts = TestClients.contexts(http)
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class, DynamolockLeaderAutoConfiguration.class))
            .withUserConfiguration(Asynchronous.class)
            .withBean(Transactions.class)
            .withBean(Work.class)
            .withPropertyValues("dynamolock.enabled=false", "dynamolock.leader.name=reporter");

    static Stream<Named<Function<Work, Callable<List<LeaseState>>>>> uses() {
        return Stream.of(
                use("several names", work -> () -> work.severalNames("a", "b")),
                use("a condition that is true", work -> () -> work.onCondition(true)),
                use("a fallback", work -> work::orFallback),
                use("a name of a manager that there is not", work -> () -> work.byTenant("tenant")),
                use("@Async", work -> () -> get(work.async())),
                use("a future", work -> () -> get(work.future())),
                use("a Mono", work -> () -> work.mono().block(Locking.TIMEOUT)),
                use("a Flux", work -> () -> work.flux().collectList().block(Locking.TIMEOUT)));
    }

    private static Named<Function<Work, Callable<List<LeaseState>>>> use(
            String name, Function<Work, Callable<List<LeaseState>>> call) {
        return Named.of(name, call);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("uses")
    void runsWithAnUnlockedLease(Function<Work, Callable<List<LeaseState>>> use) {
        contexts.run(context -> {
            List<LeaseState> states = use.apply(context.getBean(Work.class)).call();

            assertThat(states).isNotEmpty().containsOnly(LeaseState.UNLOCKED);
        });
        assertThat(http.attempts()).isEmpty();
    }

    /** A condition says whether the method is to run, not whether it is to be locked. */
    @Test
    void conditionThatIsFalseSkipsTheCall() {
        contexts.run(context ->
                assertThat(context.getBean(Work.class).onCondition(false)).isNull());
    }

    @Test
    void transactionsCommitAndRollBack() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);
            Transactions transactions = context.getBean(Transactions.class);

            transaction(context).executeWithoutResult(status -> {
                work.orFallback();
                work.orFallback();
            });
            assertThat(work.within(transaction(context))).containsOnly(LeaseState.UNLOCKED);
            assertThatIllegalStateException()
                    .isThrownBy(() -> transaction(context).executeWithoutResult(status -> work.fail()));

            assertThat(transactions.commits).isEqualTo(2);
            assertThat(transactions.rollbacks).isEqualTo(1);
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(Transactions.class));
    }

    @Test
    void methodsOfTheLeaderRun() {
        contexts.run(context -> {
            Awaitility.await().until(context.getBean(Leadership.class)::isLeader);

            context.getBean(Work.class).asLeader();

            assertThat(context.getBean(Work.class).hasLed()).isTrue();
        });
        assertThat(http.attempts()).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}

    /** Counts what would be committed and rolled back. */
    @SuppressWarnings("serial")
    static class Transactions extends AbstractPlatformTransactionManager {

        private int commits;
        private int rollbacks;

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            commits++;
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            rollbacks++;
        }
    }

    static class Work {

        private boolean led;

        private static List<LeaseState> states() {
            Locks.assertHeld();
            return Locks.current().orElseThrow().leases().stream()
                    .map(Lease::state)
                    .toList();
        }

        @DistributedLock(names = {"one-#{#a}", "other-#{#b}"})
        public List<LeaseState> severalNames(String a, String b) {
            assertThat(states()).hasSize(2);
            return states();
        }

        @DistributedLock(name = "job", condition = "#{#on}")
        public List<LeaseState> onCondition(boolean on) {
            return states();
        }

        @DistributedLock(name = "job", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public List<LeaseState> orFallback() {
            return states();
        }

        @SuppressWarnings("UnusedMethod") // the fallback, which no unlocked method needs
        List<LeaseState> instead() {
            return List.of();
        }

        @DistributedLock(name = "job", manager = "#{#tenant}")
        public List<LeaseState> byTenant(String tenant) {
            return states();
        }

        @Async
        @DistributedLock("job")
        public Future<List<LeaseState>> async() {
            return CompletableFuture.completedFuture(states());
        }

        @DistributedLock("job")
        public CompletableFuture<List<LeaseState>> future() {
            return CompletableFuture.completedFuture(states());
        }

        @DistributedLock("job")
        public Mono<List<LeaseState>> mono() {
            return Mono.deferContextual(
                    context -> Mono.just(List.of(context.get(Lease.class).state())));
        }

        @DistributedLock("job")
        public Flux<LeaseState> flux() {
            return Flux.deferContextual(
                    context -> Flux.just(context.get(Lease.class).state()));
        }

        @DistributedLock("job")
        public List<LeaseState> within(TransactionTemplate transaction) {
            return Objects.requireNonNull(transaction.execute(status -> states()));
        }

        @DistributedLock("job")
        public void fail() {
            throw new IllegalStateException("on purpose");
        }

        @OnlyOnLeader
        public void asLeader() {
            led = true;
        }

        public boolean hasLed() {
            return led;
        }
    }
}
