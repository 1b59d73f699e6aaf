/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.OnBusy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** The code in guide.md is that of this class, and of the controller in samples/web-mvc. */
class GuidePageTests {

    private static final String GUIDE = Docs.page("guide.md");
    private static final String OVER_HTTP = "## A busy lock over HTTP";

    @Test
    void pageShowsTheCodeThatIsRunHere() {
        String[] parts = GUIDE.split("(?=## )");

        Docs.assertCodeIsThatOf(GuidePageTests.class, without(OVER_HTTP, parts), 7);
    }

    private static String without(String heading, String[] parts) {
        return String.join(
                "", Stream.of(parts).filter(part -> !part.startsWith(heading)).toList());
    }

    @Test
    void pageShowsTheHandlerOfTheSample() {
        String controller = Docs.read(Docs.ROOT.resolve(
                Path.of("samples/web-mvc/src/main/java/io/dynamolock/samples/webmvc/OrderController.java")));
        String section = GUIDE.substring(GUIDE.indexOf(OVER_HTTP));

        assertThat(controller).contains(Docs.blocks("java", section).get(0).indent(4));
    }

    @Test
    void pageNamesEveryPolicy() {
        String section = GUIDE.substring(GUIDE.indexOf("## When a lock is lost"));

        assertThat(Stream.of(OnLost.values()).filter(policy -> policy != OnLost.DEFAULT))
                .allSatisfy(policy -> assertThat(section).contains("| `" + policy + "`"));
    }

    @Test
    void codeOfThePageWorks() {
        Locking.inMemory().withBean(Jobs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            jobs.nightly();
            jobs.nightly(); // skipped: the lock is kept for the minimum hold time
            jobs.importFiles(List.of(Path.of("a"), Path.of("b")));

            assertThat(jobs.done()).containsExactly("report", "a", "b");
        });
    }

    @Test
    void partOfPipelineRunsUnderTheLock() {
        Locking.inMemory().withBean(Jobs.class).run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            Mono<Status> work = Mono.fromSupplier(() -> locks.inspect("order-7").status());

            assertThat(context.getBean(Jobs.class).underLock("order-7", work).block())
                    .isEqualTo(Status.HELD);

            assertThat(locks.inspect("order-7").status()).isEqualTo(Status.FREE);
        });
    }

    @Test
    void copyOfMessageChangesNothing() {
        Locking.inMemory().withBean(Consumer.class).run(context -> {
            Consumer consumer = context.getBean(Consumer.class);
            consumer.ship(new OrderMessage("message-1", "7"));
            consumer.ship(new OrderMessage("message-1", "7"));

            assertThat(consumer.shipped()).containsExactly("7");
        });
    }

    @Test
    void migrationsRunUnderTheLock() {
        Locking.inMemory()
                .withBean(LockedMigration.class)
                .withBean(LockedLiquibase.class)
                .run(context -> {
                    LockManager locks = context.getBean(LockManager.class);
                    List<Status> during = new ArrayList<>();
                    Liquibase changes =
                            () -> during.add(locks.inspect("shop-migration").status());

                    context.getBean(FlywayMigrationStrategy.class)
                            .migrate(() ->
                                    during.add(locks.inspect("shop-migration").status()));
                    LockedLiquibase liquibase = context.getBean(LockedLiquibase.class);
                    liquibase.performUpdate(changes);

                    assertThat(during).containsExactly(Status.HELD, Status.HELD);
                    assertThat(liquibase.updated()).hasSize(1);
                    assertThat(locks.inspect("shop-migration").status()).isEqualTo(Status.FREE);
                });
    }

    @Test
    void lockInCodeDoesNotWaitForTheTransactionAroundIt() {
        withBookings((locks, bookings) -> {
            Status beforeCommit = bookings.transactions.execute(status -> {
                bookings.bookOrThrow("7");
                return locks.inspect("account-7").status();
            });

            assertThat(beforeCommit).isEqualTo(Status.FREE);
        });
    }

    @Test
    void transactionWithinTheLockEndsBeforeIt() {
        withBookings((locks, bookings) -> {
            List<Status> atTheEnd = new ArrayList<>();
            bookings.accounts = account ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCompletion(int outcome) {
                            assertThat(outcome).isEqualTo(STATUS_COMMITTED);
                            atTheEnd.add(locks.inspect("account-7").status());
                        }
                    });

            bookings.bookOrThrow("7");

            assertThat(atTheEnd).containsExactly(Status.HELD);
            assertThat(locks.inspect("account-7").status()).isEqualTo(Status.FREE);
        });
    }

    @Test
    void transactionWithinTheLockRollsBackIfItIsLost() {
        withBookings((locks, bookings) -> {
            List<Integer> outcomes = new ArrayList<>();
            bookings.accounts = account -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int outcome) {
                        outcomes.add(outcome);
                    }
                });
                locks.forceRelease(
                        "account-7", String.valueOf(locks.inspect("account-7").leaseId()));
                Awaitility.await().until(() -> bookings.locking.lost().contains("account-7"));
            };

            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> bookings.bookOrThrow("7"));

            assertThat(outcomes).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK);
        });
    }

    private static void withBookings(BiConsumer<LockManager, Bookings> test) {
        Locking.withDatabase(Locking.quick(), "guide").withBean(Bookings.class).run(context -> {
            test.accept(context.getBean(LockManager.class), context.getBean(Bookings.class));
        });
    }

    interface Accounts {
        void book(String account);
    }

    static class Bookings {

        private final LockManager locks;
        private final TransactionTemplate transactions;
        private final Locking locking;
        private Accounts accounts = account -> {};

        Bookings(LockManager locks, TransactionTemplate transactions, Locking locking) {
            this.locks = locks;
            this.transactions = transactions;
            this.locking = locking;
        }

        void bookOrThrow(String account) {
            try {
                book(account);
            } catch (RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        }

        boolean book(String account) throws Exception {
            return locks.call("account-" + account, lease -> {
                transactions.executeWithoutResult(status -> {
                    accounts.book(account);
                    lease.ensureHeld(); // rolls back if the lock is lost
                });
                return true;
            });
        }
    }

    interface Reports {
        void build();
    }

    static class Jobs {

        private final List<String> done = new ArrayList<>();
        private final Reports reports = () -> done.add("report");

        List<String> done() {
            return done;
        }

        private void importFile(Path file, long fencingToken) {
            assertThat(fencingToken).isPositive();
            done.add(file.toString());
        }

        @Scheduled(cron = "0 0 3 * * *")
        @DistributedLock(name = "nightly", minHold = "1m")
        public void nightly() {
            reports.build();
        }

        @DistributedLock("#{#name}")
        public <T> Mono<T> underLock(String name, Mono<T> work) {
            return work;
        }

        @DistributedLock("import")
        public void importFiles(List<Path> files) {
            for (Path file : files) {
                Locks.assertHeld();
                importFile(file, Locks.current().orElseThrow().fencingToken());
            }
        }
    }

    record OrderMessage(String id, String orderId) {}

    interface Orders {
        void ship(String orderId, long fencingToken);
    }

    static class Consumer {

        private final Set<String> handled = new HashSet<>();
        private final List<String> shipped = new ArrayList<>();
        private final Orders orders = (orderId, fencingToken) -> shipped.add(orderId);

        List<String> shipped() {
            return shipped;
        }

        @Transactional
        @DistributedLock(name = "order-#{#message.orderId}", waitTime = "5s", onBusy = OnBusy.THROW)
        public void ship(OrderMessage message) { // also annotated with @KafkaListener or @SqsListener
            if (handled.add(message.id())) { // false if the message was handled before
                orders.ship(message.orderId(), Locks.current().orElseThrow().fencingToken());
            }
        }
    }

    /** Like that of Spring Boot, which is not on the class path, nor are Flyway and Liquibase. */
    interface FlywayMigrationStrategy {
        void migrate(Flyway flyway);
    }

    interface Flyway {
        void migrate();
    }

    interface Liquibase {
        void forceReleaseLocks();
    }

    static class LiquibaseException extends Exception {

        LiquibaseException(Throwable cause) {
            super(cause);
        }
    }

    static class SpringLiquibase {

        private final List<String> updated = new ArrayList<>();

        List<String> updated() {
            return updated;
        }

        protected void performUpdate(Liquibase liquibase) throws LiquibaseException {
            updated.add(liquibase.toString());
        }
    }

    static class LockedMigration implements FlywayMigrationStrategy {

        @Override
        @DistributedLock(name = "shop-migration", waitTime = "10m", onBusy = OnBusy.THROW)
        public void migrate(Flyway flyway) {
            flyway.migrate(); // finds nothing to do if another instance was first
        }
    }

    static class LockedLiquibase extends SpringLiquibase {

        private final LockManager locks;

        LockedLiquibase(LockManager locks) {
            this.locks = locks;
        }

        @Override
        protected void performUpdate(Liquibase liquibase) throws LiquibaseException {
            LockRequest request = LockRequest.of("shop-migration")
                    .leaseDuration(Duration.ofMinutes(5))
                    .waitTime(Duration.ofMinutes(10));
            try {
                locks.call(request, () -> {
                    liquibase.forceReleaseLocks();
                    super.performUpdate(liquibase);
                    return true;
                });
            } catch (LiquibaseException | RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new LiquibaseException(failure);
            }
        }
    }
}
