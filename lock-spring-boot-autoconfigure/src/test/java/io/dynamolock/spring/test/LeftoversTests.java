/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagers;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockState.Status;
import io.dynamolock.coordination.CircuitSwitch;
import io.dynamolock.coordination.DistributedReadWriteLock;
import io.dynamolock.coordination.DistributedSemaphore;
import io.dynamolock.coordination.Once;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Leadership;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.Commit;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.support.DirtiesContextTestExecutionListener;
import org.springframework.test.context.transaction.TransactionalTestExecutionListener;
import org.springframework.transaction.annotation.Transactional;

/** A test method leaves the next one what the application had before it, and its leader. */
class LeftoversTests {

    private static final AtomicInteger MIGRATIONS = new AtomicInteger();

    private final Sample sample = new Sample();
    private final TestContextManager tests = new TestContextManager(Sample.class);

    @Test
    void leaderThatWasElectedDuringMethodStays() throws Exception {
        tests.prepareTestInstance(sample);
        in(() -> {
            sample.awaitLeading(true);
            sample.rival.steal("boss");
            sample.awaitLeading(false);
            sample.rival.release("boss");
            sample.awaitLeading(true);
        });

        in(() -> assertThat(sample.leadership.isLeader()).isTrue());
    }

    @Test
    void workDoneAndSwitchesOpenedBeforeStay() throws Exception {
        tests.prepareTestInstance(sample);
        in(() -> CircuitSwitch.of(sample.locks, "of this method").open(Duration.ofHours(5)));

        in(() -> {
            Once.of(sample.locks, "migration").run(MIGRATIONS::incrementAndGet);

            assertThat(MIGRATIONS).hasValue(1);
            assertThat(CircuitSwitch.of(sample.locks, "paused").isOpen()).isTrue();
            assertThat(CircuitSwitch.of(sample.locks, "of this method").isOpen())
                    .isFalse();
        });
    }

    @Test
    void minimumHoldFromBeforeDoesNotStay() throws Exception {
        tests.prepareTestInstance(sample);

        in(() -> {
            assertThat(sample.locks.tryAcquire("import")).isPresent();
            assertThat(sample.locks.tryAcquire("export")).isPresent();
            assertThat(sample.locks.tryAcquire("parking")).isPresent();
            assertThat(DistributedReadWriteLock.of(sample.locks, "catalog", 1)
                            .write()
                            .tryAcquire())
                    .isPresent();
        });
    }

    @Test
    void numberOfPermitsFromBeforeStays() throws Exception {
        tests.prepareTestInstance(sample);

        in(() -> assertThatIllegalStateException()
                .isThrownBy(() ->
                        DistributedSemaphore.of(sample.locks, "printers", 3).tryAcquire()));
    }

    @Test
    void managerThatNoTestHasUsedIsNotCreated() throws Exception {
        ApplicationContext beans = afterMethod(new Unused(), unused -> {});

        assertThat(((ConfigurableApplicationContext) beans).getBeanFactory().containsSingleton("dynamolockManager"))
                .isFalse();
    }

    @Test
    void lockFromBeforeStaysIfManagersShareTheirStore() throws Exception {
        ApplicationContext beans = afterMethod(new TwoManagers(), unused -> {});

        assertThat(beans.getBean("first", LockManager.class).inspect("application"))
                .extracting(LockState::status)
                .isEqualTo(Status.HELD);
    }

    @Test
    void rivalOfParentContextReleasesItsLocks() throws Exception {
        ApplicationContext beans = afterMethod(
                new InChild(), context -> context.getBean(Rival.class).hold("job"));

        assertThat(beans.getBean(LockManager.class).tryAcquire("job")).isPresent();
    }

    /** Such a lock is held until the transaction has ended, which is after the test method. */
    @Test
    void lockOfTransactionOfMethodStaysUntilItHasCommitted() throws Exception {
        ApplicationContext beans = afterMethod(
                new Committed(), context -> context.getBean(Till.class).close());

        assertThat(beans.getBean(LockManager.class).inspect("till"))
                .extracting(LockState::status)
                .isEqualTo(Status.FREE);
    }

    /** As that of a scheduled method. The lock of the first is among those held, that of the second not yet. */
    @ParameterizedTest
    @ValueSource(strings = {"diagnostics", "held"})
    void lockThatIsAcquiredDuringCleanUpStays(String asked) throws Exception {
        ApplicationContext beans = afterMethod(new InBackground(), context -> {
            context.getBean(LockManager.class).tryAcquire("before " + asked);
            context.getBean(Worker.class).worksWhen(asked);
        });

        assertThat(beans.getBean(LockManager.class).inspect("during " + asked))
                .extracting(LockState::status)
                .isEqualTo(Status.HELD);
    }

    @Test
    void areRemovedOutsideOfTransactionOfMethodAndBeforeItsContextIsClosed() {
        assertThat(new TestLocksExecutionListener().getOrder())
                .isBetween(DirtiesContextTestExecutionListener.ORDER + 1, TransactionalTestExecutionListener.ORDER - 1);
    }

    private static ApplicationContext afterMethod(Object test, Consumer<ApplicationContext> body) throws Exception {
        TestContextManager manager = new TestContextManager(test.getClass());
        Method method = test.getClass().getDeclaredMethod("method");
        manager.prepareTestInstance(test);
        manager.beforeTestMethod(test, method);
        ApplicationContext context = manager.getTestContext().getApplicationContext();
        body.accept(context);
        manager.afterTestMethod(test, method, null);
        return context;
    }

    /** Runs a test method. */
    private void in(ThrowingRunnable body) throws Exception {
        Method method = Sample.class.getDeclaredMethod("method");
        tests.beforeTestMethod(sample, method);
        try {
            body.run();
        } catch (Throwable failure) {
            throw new AssertionError("a test method failed", failure);
        } finally {
            tests.afterTestMethod(sample, method, null);
        }
    }

    @SpringBootTest(classes = Shop.class, properties = "dynamolock.leader.name=boss")
    @AutoConfigureTestLocks
    @SuppressWarnings("NullAway.Init") // set by Spring
    static class Sample {

        @Autowired
        private LockManager locks;

        @Autowired
        private Leadership leadership;

        @Autowired
        private Rival rival;

        @Autowired
        private TestClock clock;

        void method() {}

        void awaitLeading(boolean leads) {
            await().until(() -> {
                clock.advance(Duration.ofSeconds(1));
                return leadership.isLeader() == leads;
            });
        }
    }

    @SpringBootTest(classes = Nothing.class, properties = "spring.main.lazy-initialization=true")
    @AutoConfigureTestLocks
    static class Unused {

        void method() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Nothing {}

    @SpringBootTest(classes = SharedStore.class)
    @AutoConfigureTestLocks
    static class TwoManagers {

        void method() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class SharedStore {

        @Bean
        InMemoryLockStore store() {
            return new InMemoryLockStore();
        }

        @Bean
        @Primary
        LockManager first(InMemoryLockStore store) {
            return LockManager.builder(store).build();
        }

        @Bean
        LockManager second(InMemoryLockStore store) {
            return LockManager.builder(store).namePrefix("second/").build();
        }

        @Bean
        ApplicationRunner acquire(LockManager first) {
            return unused -> first.acquire("application");
        }
    }

    @SpringBootTest(classes = WithWorker.class)
    @AutoConfigureTestLocks
    static class InBackground {

        void method() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithWorker {

        @Bean
        InMemoryLockStore store() {
            return new InMemoryLockStore();
        }

        @Bean
        Worker worker(InMemoryLockStore store) {
            return new Worker(store);
        }

        @Bean
        LockManager locks(Worker worker) {
            return (LockManager) Proxy.newProxyInstance(
                    LockManager.class.getClassLoader(), new Class<?>[] {LockManager.class}, worker);
        }
    }

    /** A lock manager that acquires a lock when it is asked for something. */
    static final class Worker implements InvocationHandler, AutoCloseable {

        private final LockManager locks;
        private final LockManager unlisted;
        private String when = "";

        Worker(InMemoryLockStore store) {
            locks = LockManager.builder(store).shutdownGrace(Duration.ZERO).build();
            unlisted = LockManager.builder(store).shutdownGrace(Duration.ZERO).build();
        }

        void worksWhen(String asked) {
            when = asked;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
            Object result = method.invoke(locks, args);
            if (method.getName().equals(when)) {
                when = "";
                (method.getName().equals("held") ? unlisted : locks).tryAcquire("during " + method.getName());
            }
            return result;
        }

        @Override
        public void close() {
            LockManagers.closeAll(List.of(locks, unlisted));
        }
    }

    @SpringBootTest
    @AutoConfigureTestLocks
    @ContextHierarchy({@ContextConfiguration(classes = Nothing.class), @ContextConfiguration(classes = Plain.class)})
    static class InChild {

        void method() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {}

    @SpringBootTest(
            classes = {Nothing.class, Till.class},
            properties = "test=committed")
    @AutoConfigureTestLocks
    @Transactional
    @Commit
    static class Committed {

        void method() {}
    }

    static class Till {

        @DistributedLock("till")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        ApplicationRunner start(LockManager locks) {
            return unused -> {
                Once.of(locks, "migration").run(MIGRATIONS::incrementAndGet);
                CircuitSwitch.of(locks, "paused").open(Duration.ofHours(5));
                locks.acquire(LockRequest.of("import").minHold(Duration.ofHours(5)))
                        .close();
                locks.acquire(LockRequest.of("export")
                                .minHold(Duration.ofHours(5))
                                .metadata(Map.of("job", "7")))
                        .close();
                locks.acquire(LockRequest.of("parking")
                                .minHold(Duration.ofHours(5))
                                .metadata(Map.of("permits", "7")))
                        .close();
                DistributedReadWriteLock.of(locks, LockRequest.of("catalog").minHold(Duration.ofHours(5)), 1)
                        .write()
                        .tryAcquire()
                        .orElseThrow()
                        .close();
                DistributedSemaphore.of(locks, "printers", 2)
                        .tryAcquire()
                        .orElseThrow()
                        .close();
            };
        }
    }
}
