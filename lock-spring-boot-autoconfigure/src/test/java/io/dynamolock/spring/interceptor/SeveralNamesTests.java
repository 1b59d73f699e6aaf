/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DeclaredLock;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.dynamolock.spring.StartFailure;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Methods that run under several locks: all of them or none. */
class SeveralNamesTests {

    private final ApplicationContextRunner contexts =
            Locking.quick().withBean(Bank.class).withBean(Skips.class);

    @Test
    void methodHoldsAllLocksAndReleasesThemAll() {
        contexts.run(context -> {
            Bank bank = context.getBean(Bank.class);

            assertThat(bank.transfer("b", "a")).containsExactly("account-a HELD", "account-b HELD");
            assertThat(bank.future("b", "a").get(60, TimeUnit.SECONDS))
                    .containsExactly("account-a HELD", "account-b HELD");
            assertThat(bank.mono("b", "a").block(Locking.TIMEOUT)).containsExactly("account-a HELD", "account-b HELD");
            assertThat(bank.transfer("a", "a")).containsExactly("account-a HELD");
            assertThat(states(context)).containsOnly(Status.FREE);
        });
    }

    @Test
    void expressionGivesOneLockPerElement() {
        contexts.withBean(Batch.class).run(context -> {
            Batch batch = context.getBean(Batch.class);

            assertThat(batch.settle(Set.of("b", "a"))).containsExactly("account-a HELD", "account-b HELD");
            assertThat(batch.settleArray("b", "a", "b")).containsExactly("a HELD", "b HELD", "z HELD");
            assertThat(batch.settle(List.of("a"))).containsExactly("account-a HELD");
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settle(List.of()))
                    .withMessageContaining("Batch.settle")
                    .withMessageContaining("no name has a value, but a call needs a lock");
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleArray("a", " "))
                    .withMessageContaining("evaluates to blank text");
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settle(Arrays.asList("a", null)))
                    .withMessageContaining("evaluates to null");
            assertThat(batch.settleAny(Optional.of(List.of("b", "a"))))
                    .containsExactly("account-a! HELD", "account-b! HELD");
            assertThat(batch.settleAny(new long[] {7})).containsExactly("account-7! HELD");
            assertThat(batch.settleAny("c")).containsExactly("account-c! HELD");
            assertThat(batch.settleAny(Path.of("reports", "a")))
                    .containsExactly("account-" + Path.of("reports", "a") + "! HELD");
            for (Object nested : List.of(
                    List.of(List.of("a"), "b"),
                    List.of(Map.of("a", 1)),
                    List.of(new Page(List.of("a", "b"))),
                    new int[][] {{1}})) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> batch.settleAny(nested))
                        .withMessageContaining("may stand for several locks itself");
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleAny(new byte[] {1}))
                    .withMessageContaining("hash code");
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settlePairs(List.of("a"), List.of("b")))
                    .withMessageContaining("#{#to} and another expression evaluate to several values");
        });
    }

    @Test
    void optionalIsLikeItsValue() {
        contexts.withBean(Batch.class).run(context -> {
            Batch batch = context.getBean(Batch.class);

            assertThat(batch.settleAny(List.of(Optional.of("b"), OptionalInt.of(7))))
                    .containsExactly("account-7! HELD", "account-b! HELD");
            assertThat(batch.settleAny(Optional.of(Optional.of(List.of("b", "a")))))
                    .containsExactly("account-a! HELD", "account-b! HELD");
            assertThat(batch.settleAny(Optional.of(Optional.of("a")))).containsExactly("account-a! HELD");
            for (Object nested : List.of(
                    List.of(Optional.of(List.of("a", "b")), "c"),
                    List.of(Optional.of(Map.of("a", 1))),
                    List.of(Optional.of(Optional.of(new int[] {1}))),
                    Optional.of(List.of(Optional.of(new Page(List.of("a"))))))) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> batch.settleAny(nested))
                        .withMessageContaining("may stand for several locks itself");
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleAny(List.of("a", Optional.empty())))
                    .withMessageContaining("evaluates to null");
            assertThat(states(context)).containsOnly(Status.FREE);
        });
    }

    @Test
    void emptyCollectionBesideAnotherNameAddsNone() {
        contexts.withBean(Batch.class)
                .run(context ->
                        assertThat(context.getBean(Batch.class).settleArray()).containsExactly("z HELD"));
    }

    @Test
    void valueThatMayStandForSeveralIsRefused() {
        contexts.withBean(Batch.class).run(context -> {
            Batch batch = context.getBean(Batch.class);

            for (Object unclear : List.of(new Page(List.of("a", "b")), Optional.of(new Page(List.of("a"))))) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> batch.settleAny(unclear))
                        .withMessageContaining("#{#ids} evaluates to a ")
                        .withMessageContaining("may stand for one lock or for several")
                        .withMessageContaining("use a collection of its values, such as its toList(), or one text");
            }
        });
    }

    @Test
    void mapIsRefusedUnlessItsKeysOrValuesAreNamed() {
        contexts.withBean(Batch.class).run(context -> {
            Batch batch = context.getBean(Batch.class);

            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleAny(Map.of("a", 1)))
                    .withMessageContaining("may stand for one lock or for several")
                    .withMessageContaining("use its keys or its values, as in #{#map.keySet()} or #{#map.values()}");
            assertThat(batch.settleMap(Map.of("a", 1))).containsExactly("a HELD", "b-1 HELD");
        });
    }

    /** A JSON value is iterable, also without elements; its {@code toString()} would add quotes to the name. */
    @Test
    void jsonValueIsLockedByItsText() {
        contexts.withBean(Batch.class).run(context -> {
            Batch batch = context.getBean(Batch.class);

            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleAny(new Json("a")))
                    .withMessageContaining("or one text, such as its asText()");
            assertThatIllegalStateException()
                    .isThrownBy(() -> batch.settleAny(List.of(new Json("a"))))
                    .withMessageContaining("use one text for each lock, such as those of #nodes.![asText()]");
            assertThat(batch.settleJson(new Json("a"), List.of(new Json("b"), new Json("c"))))
                    .containsExactly("a HELD", "b HELD", "c HELD");
        });
    }

    @Test
    void eachLockHasItsFencingToken() {
        contexts.run(context -> assertThat(context.getBean(Bank.class).tokens("a", "b"))
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(token -> token > 0));
    }

    @Test
    void busyLockLeavesTheOthersFree() {
        contexts.run(context -> {
            Bank bank = context.getBean(Bank.class);
            LockManager locks = context.getBean(LockManager.class);
            try (Lease busy = locks.tryAcquire("account-b").orElseThrow()) {
                assertThatExceptionOfType(LockBusyException.class)
                        .isThrownBy(() -> bank.transfer("a", "b"))
                        .satisfies(failure -> assertThat(failure.lockName()).isEqualTo("account-b"));
                assertThat(bank.skipped("a", "b")).isNull();
                assertThat(busy.isHeld()).isTrue();
                assertThat(locks.inspect("account-a").status()).isEqualTo(Status.FREE);
            }
            assertThat(context.getBean(Skips.class).all)
                    .extracting(LockEvent::lockName)
                    .containsExactly("account-a, account-b");
        });
    }

    @Test
    void callsInOppositeOrdersDoNotWaitForEachOther() {
        contexts.run(context -> {
            Bank bank = context.getBean(Bank.class);
            Executor threads = new SimpleAsyncTaskExecutor();
            CompletableFuture<?>[] sides = {
                CompletableFuture.runAsync(() -> repeat(() -> bank.waiting("a", "b")), threads),
                CompletableFuture.runAsync(() -> repeat(() -> bank.waiting("b", "a")), threads)
            };

            CompletableFuture.allOf(sides).get(60, TimeUnit.SECONDS);

            assertThat(bank.balance()).isEqualTo(200);
            assertThat(states(context)).containsOnly(Status.FREE);
        });
    }

    private static void repeat(Runnable call) {
        for (int i = 0; i < 100; i++) {
            call.run();
        }
    }

    @Test
    void transactionHoldsAllOfThem() {
        contexts.withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:several;DB_CLOSE_DELAY=-1")
                .run(context -> {
                    Bank bank = context.getBean(Bank.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                bank.transfer("a", "c");
                                bank.transfer("a", "b");
                                assertThat(states(context)).containsOnly(Status.HELD);
                            });
                    assertThat(states(context)).containsOnly(Status.FREE);
                });
    }

    @Test
    void observationAndDeclarationNameAllOfThem() {
        TestObservationRegistry observed = TestObservationRegistry.create();
        contexts.withBean(TestObservationRegistry.class, () -> observed).run(context -> {
            List<String> tokens = context.getBean(Bank.class).tokens("b", "a").stream()
                    .map(String::valueOf)
                    .toList();

            TestObservationRegistryAssert.assertThat(observed)
                    .hasSingleObservationThat()
                    .hasLowCardinalityKeyValue("template", "account-#{#from}, account-#{#to}")
                    .hasHighCardinalityKeyValue("lock", "account-a, account-b")
                    .hasHighCardinalityKeyValue("fencing.token", String.join(", ", tokens));
            assertThat(context.getBean(DistributedLockAdvisor.class).declaredLocks())
                    .contains(new DeclaredLock(
                            List.of("account-#{#from}", "account-#{#to}"),
                            Bank.class.getName() + ".tokens",
                            null,
                            null,
                            true));
        });
    }

    @Test
    void nameThatCannotBeEvaluatedFailsCallWithoutLocking() {
        contexts.run(context -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Bank.class).transfer("a", null))
                    .withMessageContainingAll("account-#{#to}", "transfer", "null");
            assertThat(states(context)).containsOnly(Status.FREE);
        });
    }

    @Test
    void contradictoryAndBlankNamesFailTheStart() {
        assertThat(startFailure(NameAndNames.class))
                .hasMessageContainingAll("both name and names are set", "NameAndNames.run", "remove one of them");
        assertThat(startFailure(BlankName.class)).hasMessageContaining("one of names is blank");
        assertThat(startFailure(BareParameter.class)).hasMessageContaining("Write account-#{#from}");
    }

    private static Throwable startFailure(Class<?> bean) {
        Throwable[] failure = new Throwable[1];
        Locking.inMemory()
                .withBean(bean)
                .run(context -> failure[0] = StartFailure.of(context, InvalidDistributedLockException.class));
        return Objects.requireNonNull(failure[0]);
    }

    private static List<Status> states(ApplicationContext context) {
        LockManager locks = context.getBean(LockManager.class);
        return List.of(
                locks.inspect("account-a").status(), locks.inspect("account-b").status());
    }

    static class Bank {

        private final LockManager locks;
        private int balance;

        Bank(LockManager locks) {
            this.locks = locks;
        }

        @DistributedLock(names = {"account-#{#from}", "account-#{#to}"})
        public List<String> transfer(String from, @Nullable String to) {
            return heldNow();
        }

        @DistributedLock(names = {"account-#{#from}", "account-#{#to}"})
        public CompletableFuture<List<String>> future(String from, String to) {
            return CompletableFuture.completedFuture(heldNow());
        }

        @DistributedLock(names = {"account-#{#from}", "account-#{#to}"})
        public Mono<List<String>> mono(String from, String to) {
            return Mono.fromSupplier(this::heldNow);
        }

        @DistributedLock(names = {"account-#{#from}", "account-#{#to}"})
        public List<Long> tokens(String from, String to) {
            Lease lease = Locks.current().orElseThrow();
            return lease.leases().stream().map(Lease::fencingToken).toList();
        }

        @DistributedLock(
                names = {"account-#{#from}", "account-#{#to}"},
                onBusy = OnBusy.SKIP)
        public @Nullable String skipped(String from, String to) {
            return from + to;
        }

        @DistributedLock(
                names = {"account-#{#from}", "account-#{#to}"},
                waitTime = "60s")
        public void waiting(String from, String to) {
            balance++;
        }

        public int balance() {
            return balance;
        }

        private List<String> heldNow() {
            return SeveralNamesTests.heldNow(locks);
        }
    }

    private static List<String> heldNow(LockManager locks) {
        return locks.held()
                .map(state -> state.name() + " " + state.status())
                .sorted()
                .toList();
    }

    static class Skips {

        private final List<LockEvent> all = new CopyOnWriteArrayList<>();

        @EventListener
        public void on(LockEvent.Skipped event) {
            all.add(event);
        }
    }

    static class NameAndNames {

        @DistributedLock(
                name = "a",
                names = {"b", "c"})
        public void run() {}
    }

    static class BlankName {

        @DistributedLock(names = {"a", " "})
        public void run() {}
    }

    static class BareParameter {

        @DistributedLock(names = {"a", "account-#from"})
        public void run(String from) {}
    }

    /** As one of Spring Data, which is no collection. */
    private record Page(List<String> ids) implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return ids.iterator();
        }

        @Override
        public String toString() {
            return "Page 1 of 1";
        }
    }

    /** As a scalar of Jackson. */
    record Json(String asText) implements Iterable<Json> {

        @Override
        public Iterator<Json> iterator() {
            return Collections.emptyIterator();
        }

        @Override
        public String toString() {
            return '"' + asText + '"';
        }
    }

    static class Batch {

        private final LockManager locks;

        Batch(LockManager locks) {
            this.locks = locks;
        }

        @DistributedLock(names = "#{'account-' + #ids}")
        public List<String> settle(Collection<String> ids) {
            return heldNow(locks);
        }

        @DistributedLock(names = {"#{#ids}", "z"})
        public List<String> settleArray(String... ids) {
            return heldNow(locks);
        }

        @DistributedLock(names = "account-#{#ids}!")
        public List<String> settleAny(Object ids) {
            return heldNow(locks);
        }

        @DistributedLock(names = {"#{#node.asText()}", "#{#nodes.![asText()]}"})
        public List<String> settleJson(Json node, List<Json> nodes) {
            return heldNow(locks);
        }

        @DistributedLock(names = {"#{#map.keySet()}", "b-#{#map.values()}"})
        public List<String> settleMap(Map<String, Integer> map) {
            return heldNow(locks);
        }

        @DistributedLock(names = "#{#from}-#{#to}")
        public void settlePairs(List<String> from, List<String> to) {}
    }
}
