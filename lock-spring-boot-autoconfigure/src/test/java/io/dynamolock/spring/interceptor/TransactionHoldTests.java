/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LastHold;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockState.Status;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A lock that is acquired in a transaction is held until the transaction has completed. */
class TransactionHoldTests {

    private final ApplicationContextRunner contexts =
            Locking.withDatabase(Locking.quick(), "hold").withBean(Counter.class);

    @Test
    void nextHolderSeesCommit() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            Locking locking = context.getBean(Locking.class);

            CompletableFuture<Void> next = transaction(context).execute(status -> {
                counter.increment();
                CompletableFuture<Void> second = CompletableFuture.runAsync(
                        () -> transaction(context).executeWithoutResult(another -> counter.increment()));
                Awaitility.await()
                        .until(() ->
                                counter.reads().size() == 2 || locking.waiting().contains("counter"));
                return second;
            });

            Objects.requireNonNull(next).get(60, TimeUnit.SECONDS);
            assertThat(counter.reads()).containsExactly(0, 1);
            assertThat(counter.value()).isEqualTo(2);
            // An event of a release may follow that of the next acquisition
            assertThat(locking.events()).containsExactlyInAnyOrder("+counter", "-counter", "+counter", "-counter");
        });
    }

    @Test
    void lockIsHeldUntilRollback() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            List<Status> states = new CopyOnWriteArrayList<>();

            assertThatThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCompletion(int outcome) {
                                states.add(locks.inspect("counter").status());
                            }
                        });
                        context.getBean(Counter.class).fail();
                    }))
                    .hasMessage("on purpose");

            assertThat(states).containsExactly(Status.HELD);
            assertThat(locks.inspect("counter").status()).isEqualTo(Status.FREE);
            assertThat(context.getBean(Counter.class).value()).isEqualTo(0);
        });
    }

    @Test
    void laterCallsInTransactionReenter() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            Locking locking = context.getBean(Locking.class);

            transaction(context).executeWithoutResult(status -> {
                Lease first = counter.increment();
                assertThat(Locks.current()).isEmpty();
                assertThat(first.isHeld()).isFalse();
                Lease second = counter.increment();

                assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
                assertThat(locking.events()).containsExactly("+counter");
            });

            assertThat(locking.events()).containsExactly("+counter", "-counter");
            assertThat(counter.value()).isEqualTo(2);
        });
    }

    @Test
    void innerTransactionReleasesItsOwnLockOnly() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            LockManager locks = context.getBean(LockManager.class);
            TransactionTemplate inner = transaction(context);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

            transaction(context).executeWithoutResult(status -> {
                counter.touch("outer");
                inner.executeWithoutResult(own -> {
                    counter.touch("inner");
                    counter.touch("outer");
                });

                assertThat(locks.inspect("inner").status()).isEqualTo(Status.FREE);
                assertThat(locks.inspect("outer").status()).isEqualTo(Status.HELD);
            });

            assertThat(locks.inspect("outer").status()).isEqualTo(Status.FREE);
        });
    }

    @Test
    void lockAcquiredWhileTransactionCompletesIsReleased() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);

            transaction(context)
                    .executeWithoutResult(status ->
                            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                                @Override
                                public void afterCommit() {
                                    counter.touch("committed");
                                }

                                @Override
                                public void afterCompletion(int outcome) {
                                    counter.touch("completed");
                                }
                            }));

            assertThat(context.getBean(Locking.class).events())
                    .containsExactlyInAnyOrder("+committed", "-committed", "+completed", "-completed");
        });
    }

    @Test
    void propertyReleasesLockWhenMethodReturns() {
        contexts.withPropertyValues("dynamolock.annotation.hold-until-transaction-completes=false")
                .run(context -> transaction(context).executeWithoutResult(status -> {
                    context.getBean(Counter.class).increment();

                    assertThat(context.getBean(LockManager.class)
                                    .inspect("counter")
                                    .status())
                            .isEqualTo(Status.FREE);
                }));
    }

    @Test
    void busyLockIsHandledAsUsual() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            try (Lease held =
                    context.getBean(LockManager.class).tryAcquire("busy").orElseThrow()) {
                assertThat(held.isHeld()).isTrue();
                transaction(context).executeWithoutResult(status -> {
                    assertThatThrownBy(() -> counter.touch("busy")).isInstanceOf(LockBusyException.class);
                    assertThat(counter.skip()).isNull();
                });
            }
            assertThat(context.getBean(LockManager.class).inspect("busy").status())
                    .isEqualTo(Status.FREE);
        });
    }

    @Test
    void lossBeforeCommitRollsBack() {
        contexts.run(context -> {
            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> loseBeforeCommit(context))
                    .withMessageContaining("counter");

            assertThat(context.getBean(Counter.class).value()).isZero();
        });
    }

    @Test
    void lossThatOnlyNotifiesDoesNotRollBack() {
        contexts.withPropertyValues("dynamolock.on-lost=event").run(context -> {
            loseBeforeCommit(context);
            assertThat(context.getBean(Counter.class).value()).isEqualTo(1);

            context.getBean(Counter.class).incrementInTransaction(() -> lose(context));
            assertThat(context.getBean(Counter.class).value()).isEqualTo(2);
        });
    }

    @Test
    void lossRollsBackTransactionInsideOfTheLock() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);

            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> counter.incrementInTransaction(() -> lose(context)))
                    .withMessageContaining("counter");
            assertThat(counter.value()).isZero();

            counter.incrementInTransaction(() -> Locks.current().orElseThrow().release());
            assertThat(counter.value()).isEqualTo(1);
        });
    }

    @Test
    void lostLockIsNotReenteredAndNothingCommits() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);

            assertThatExceptionOfType(LeaseLostException.class)
                    .isThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        counter.increment();
                        lose(context);
                        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(counter::increment);
                        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> counter.touch("another"));
                    }))
                    .withMessageContaining("counter");

            assertThat(counter.value()).isZero();
            assertThat(counter.reads()).hasSize(1);
            assertThat(context.getBean(LockManager.class).held()).isEmpty();
        });
    }

    @Test
    void lossThatOnlyNotifiesIsFollowedByAnotherAcquisition() {
        contexts.withPropertyValues("dynamolock.on-lost=event").run(context -> {
            Counter counter = context.getBean(Counter.class);

            transaction(context).executeWithoutResult(status -> {
                Lease first = counter.increment();
                lose(context);
                assertThat(counter.increment().fencingToken()).isGreaterThan(first.fencingToken());
            });

            assertThat(counter.value()).isEqualTo(2);
            assertThat(context.getBean(LockManager.class).held()).isEmpty();
        });
    }

    @Test
    void failureInTransactionIsRememberedAsFailedHold() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            LockManager locks = context.getBean(LockManager.class);

            transaction(context)
                    .executeWithoutResult(
                            status -> assertThatThrownBy(counter::fail).hasMessage("on purpose"));
            transaction(context).executeWithoutResult(status -> counter.touch("fine"));

            assertThat(locks.inspect("counter").lastHold()).matches(LastHold::failed);
            assertThat(locks.inspect("fine").lastHold()).matches(hold -> !hold.failed());
        });
    }

    @Test
    void transactionThatIsNotCommittedIsRememberedAsFailedHold() {
        contexts.run(context -> {
            Counter counter = context.getBean(Counter.class);
            LockManager locks = context.getBean(LockManager.class);

            transaction(context).executeWithoutResult(status -> {
                counter.touch("rolled back");
                status.setRollbackOnly();
            });
            assertThatThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        counter.touch("failed");
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                throw new IllegalStateException("on purpose");
                            }
                        });
                    }))
                    .hasMessage("on purpose");

            assertThat(locks.inspect("rolled back").lastHold()).matches(LastHold::failed);
            assertThat(locks.inspect("failed").lastHold()).matches(LastHold::failed);
        });
    }

    private static void loseBeforeCommit(ApplicationContext context) {
        transaction(context).executeWithoutResult(status -> {
            context.getBean(Counter.class).increment();
            lose(context);
        });
    }

    private static void lose(ApplicationContext context) {
        LockManager locks = context.getBean(LockManager.class);
        locks.forceRelease("counter", String.valueOf(locks.inspect("counter").leaseId()));
        Awaitility.await().until(() -> context.getBean(Locking.class).lost().contains("counter"));
    }

    @Test
    void observationOfCallSignalsNoRelease() {
        TestObservationRegistry observations = TestObservationRegistry.create();
        contexts.withBean(TestObservationRegistry.class, () -> observations).run(context -> {
            Counter counter = context.getBean(Counter.class);

            transaction(context).executeWithoutResult(status -> counter.increment());

            TestObservationRegistryAssert.assertThat(observations)
                    .hasSingleObservationThat()
                    .hasEvent("acquired")
                    .doesNotHaveEvent("released");
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    static class Counter {

        private final JdbcTemplate jdbc;
        private final List<Integer> reads = new CopyOnWriteArrayList<>();

        Counter(DataSource database) {
            this.jdbc = new JdbcTemplate(database);
            jdbc.execute("create table if not exists counter (n int)");
            jdbc.execute("delete from counter");
            jdbc.execute("insert into counter values (0)");
        }

        @DistributedLock(name = "counter", waitTime = "2m")
        public Lease increment() {
            int read = value();
            reads.add(read);
            jdbc.update("update counter set n = ?", read + 1);
            return Locks.current().orElseThrow();
        }

        @Transactional
        @DistributedLock("counter")
        public void incrementInTransaction(Runnable beforeCommit) {
            jdbc.update("update counter set n = n + 1");
            beforeCommit.run();
        }

        @DistributedLock("counter")
        public void fail() {
            jdbc.update("update counter set n = 100");
            throw new IllegalStateException("on purpose");
        }

        @DistributedLock("#{#name}")
        public void touch(String name) {}

        @DistributedLock(name = "busy", onBusy = OnBusy.SKIP)
        public @Nullable String skip() {
            return "";
        }

        public List<Integer> reads() {
            return List.copyOf(reads);
        }

        public int value() {
            return Objects.requireNonNull(jdbc.queryForObject("select n from counter", Integer.class));
        }
    }
}
