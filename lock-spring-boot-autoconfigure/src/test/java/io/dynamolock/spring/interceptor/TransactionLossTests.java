/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.ReplacedBeans;
import io.dynamolock.spring.SlowCreation;
import jakarta.annotation.PostConstruct;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction rolls back if a lock was lost under which a part of it was done, unless that part is only notified. */
class TransactionLossTests {

    private final ApplicationContextRunner contexts =
            Locking.withDatabase(Locking.quick(), "loss").withBean(Work.class);

    @Test
    void strictestCallOfTheTransactionDecides() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            assertRollsBack(context, () -> {
                work.notified(() -> "");
                work.strict(() -> "");
                lose(context);
            });
        });
    }

    @Test
    void strictCallInTransactionUnderNotifiedOneDecides() {
        contexts.run(context -> {
            Work work = context.getBean(Work.class);

            work.notified(() -> {
                assertRollsBack(context, () -> {
                    work.strict(() -> "");
                    lose(context);
                });
                return "";
            });
        });
    }

    @Test
    void lossDuringLaterSynchronizationRollsBack() {
        contexts.run(context -> assertRollsBack(context, () -> {
            context.getBean(Work.class).strict(() -> "");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    lose(context);
                }
            });
        }));
    }

    @Test
    void transactionManagerThatIsCreatedEarlyIsGuarded() {
        contexts.withUserConfiguration(FirstUse.class).run(TransactionLossTests::assertRollsBackUnderLock);
    }

    @Test
    void transactionManagerThatFactoryBeanMakesEarlyIsGuarded() {
        contexts.withBean(Made.class)
                .withUserConfiguration(EarlyUse.class)
                .run(TransactionLossTests::assertRollsBackUnderLock);
    }

    @Test
    void transactionManagerThatIsWrappedEarlyIsGuarded() {
        contexts.withBean(
                        ReplacedBeans.Early.class,
                        () -> ReplacedBeans.Early.of(JdbcTransactionManager.class, Wrapper::new))
                .withUserConfiguration(EarlyUse.class)
                .run(TransactionLossTests::assertRollsBackUnderLock);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transactionManagerOfParentIsGuarded(boolean lazy) {
        assertGuardsThatOf(
                Locking.withDatabase(new ApplicationContextRunner(), "parent").withInitializer(parent -> {
                    if (lazy) {
                        makeLazy(parent);
                    }
                }));
    }

    @Test
    void transactionManagerThatFactoryBeanOfParentHasMadeIsGuarded() {
        assertGuardsThatOf(
                Locking.withDatabase(new ApplicationContextRunner(), "maker").withBean(Made.class));
    }

    private static void assertGuardsThatOf(ApplicationContextRunner parents) {
        parents.run(parent -> Locking.quick()
                .withParent(parent)
                .withBean(Work.class)
                .run(TransactionLossTests::assertRollsBackUnderLock));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transactionManagerOfChildIsGuarded(boolean lazy) {
        Locking.withLateListeners(Locking.quick())
                .run(parent -> Locking.withDatabase(new ApplicationContextRunner(), "child")
                        .withInitializer(child -> {
                            if (lazy) {
                                makeLazy(child);
                            }
                        })
                        .withParent(parent)
                        .withBean(DefaultAdvisorAutoProxyCreator.class)
                        .withBean(Work.class)
                        .run(TransactionLossTests::assertRollsBackUnderLock));
    }

    @Test
    void guardIsAddedOnceToEachContext() {
        new ApplicationContextRunner().run(parent -> {
            for (int i = 0; i < 3; i++) {
                Locking.quick()
                        .withParent(parent)
                        .run(child -> new ApplicationContextRunner()
                                .withParent(child)
                                .run(grandchild -> {
                                    assertThat(guards(parent)).isEqualTo(1);
                                    assertThat(guards(child)).isEqualTo(1);
                                    assertThat(guards(grandchild)).isEqualTo(1);
                                }));
            }
        });
    }

    private static long guards(ApplicationContext context) {
        return ((AbstractBeanFactory) context.getAutowireCapableBeanFactory())
                .getBeanPostProcessors().stream()
                        .filter(TransactionGuard.class::isInstance)
                        .count();
    }

    @Test
    void transactionManagerThatIsWrappedIsGuarded() {
        contexts.withBean(
                        ReplacedBeans.Early.class,
                        () -> ReplacedBeans.Early.of(JdbcTransactionManager.class, Wrapper::new))
                .run(context -> {
                    assertThat(context)
                            .getBean(PlatformTransactionManager.class)
                            .isInstanceOf(Wrapper.class);
                    assertRollsBackUnderLock(context);
                });
    }

    @Test
    void transactionManagerThatFactoryBeanMakesIsGuarded() {
        contexts.withBean(Made.class)
                .withInitializer(TransactionLossTests::makeLazy)
                .run(TransactionLossTests::assertRollsBackUnderLock);
    }

    /** A look at it would need its scope. */
    @Test
    void scopedTransactionManagerIsGuarded() {
        AtomicBoolean active = new AtomicBoolean();
        contexts.withInitializer(context -> context.getBeanFactory().registerScope("tenant", new SimpleThreadScope() {
                    @Override
                    public Object get(String name, ObjectFactory<?> factory) {
                        assertThat(active).isTrue();
                        return super.get(name, factory);
                    }
                }))
                .withUserConfiguration(Scoped.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    active.set(true);
                    assertRollsBackUnderLock(context);
                });
    }

    /** A look at it would make an early proxy, which Spring does not use for @Async. */
    @Test
    void transactionManagerThatAnotherThreadCreatesDuringTheStartupIsLocked() {
        SlowCreation creation = new SlowCreation();
        Locking.inMemory()
                .withAllowCircularReferences(true)
                .withUserConfiguration(Asynchronous.class)
                .withBean("outbox", Outbox.class, () -> new Outbox(creation), definition -> {
                    definition.setLazyInit(true);
                })
                .withBean(SlowCreation.OnAnotherThread.class, creation, "outbox")
                .run(context -> {
                    creation.end();
                    Outbox outbox =
                            context.getBean(SlowCreation.OnAnotherThread.class).bean(Outbox.class);
                    outbox.flush().join();

                    assertThat(context.getBean("outbox")).isSameAs(outbox);
                    assertThat(context.getBean(Locking.class).acquired()).containsExactly("flush");
                });
    }

    private static void makeLazy(ConfigurableApplicationContext context) {
        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
    }

    private static void assertRollsBackUnderLock(ApplicationContext context) {
        Work work = context.getBean(Work.class);

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> work.strict(() -> transaction(context).execute(status -> {
                    work.write();
                    lose(context);
                    return "";
                })));

        assertThat(work.value()).isZero();
    }

    private static void assertRollsBack(ApplicationContext context, ThrowingCallable inTransaction) {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                    context.getBean(Work.class).write();
                    run(inTransaction);
                }));
        assertThat(context.getBean(Work.class).value()).isZero();
    }

    private static void run(ThrowingCallable inTransaction) {
        try {
            inTransaction.call();
        } catch (Throwable unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static void lose(ApplicationContext context) {
        LockManager locks = context.getBean(LockManager.class);
        locks.forceRelease("job", String.valueOf(locks.inspect("job").leaseId()));
        Awaitility.await().until(() -> context.getBean(Locking.class).lost().contains("job"));
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    static class Work {

        private final JdbcTemplate jdbc;

        Work(DataSource database) {
            this.jdbc = new JdbcTemplate(database);
            jdbc.execute("create table if not exists work (n int)");
            jdbc.execute("delete from work");
            jdbc.execute("insert into work values (0)");
        }

        @DistributedLock(name = "job", onLost = OnLost.EVENT)
        public String notified(Callable<String> body) throws Exception {
            return body.call();
        }

        @DistributedLock("job")
        public String strict(Callable<String> body) throws Exception {
            return body.call();
        }

        public void write() {
            jdbc.update("update work set n = n + 1");
        }

        public int value() {
            return Objects.requireNonNull(jdbc.queryForObject("select n from work", Integer.class));
        }
    }

    /** Like those for tracing. */
    record Wrapper(PlatformTransactionManager wrapped) implements PlatformTransactionManager {

        @Override
        public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
            return wrapped.getTransaction(definition);
        }

        @Override
        public void commit(TransactionStatus status) {
            wrapped.commit(status);
        }

        @Override
        public void rollback(TransactionStatus status) {
            wrapped.rollback(status);
        }
    }

    record Made(DataSource database) implements FactoryBean<PlatformTransactionManager> {

        @Override
        public PlatformTransactionManager getObject() {
            return new JdbcTransactionManager(database);
        }

        @Override
        public Class<?> getObjectType() {
            return PlatformTransactionManager.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Scoped {

        @Bean
        @Scope(value = "tenant", proxyMode = ScopedProxyMode.INTERFACES)
        JdbcTransactionManager transactions(DataSource database) {
            return new JdbcTransactionManager(database);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FirstUse {

        @Bean
        static First first(PlatformTransactionManager transactions) {
            return new First(transactions);
        }
    }

    record First(PlatformTransactionManager used) implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyUse {

        @Bean
        static Early early(PlatformTransactionManager transactions) {
            return new Early(transactions);
        }
    }

    record Early(PlatformTransactionManager used) implements BeanPostProcessor, Ordered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    static class Outbox implements PlatformTransactionManager {

        private final SlowCreation creation;

        Outbox(SlowCreation creation) {
            this.creation = creation;
        }

        @PostConstruct
        void open() {
            creation.await();
        }

        @Async
        @DistributedLock("flush")
        public CompletableFuture<Void> flush() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
            return new SimpleTransactionStatus();
        }

        @Override
        public void commit(TransactionStatus status) {}

        @Override
        public void rollback(TransactionStatus status) {}
    }
}
