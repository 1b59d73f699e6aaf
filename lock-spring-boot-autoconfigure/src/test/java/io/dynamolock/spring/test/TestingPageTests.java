/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseState;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.Docs;
import io.dynamolock.spring.Locks;
import io.dynamolock.spring.boot.DynamolockAutoConfiguration;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.RecordedLock;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.RandomValuePropertySource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** The examples in testing.md are the code in this class. */
class TestingPageTests {

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+?)(?:\\.[a-z]\\w*)?;\\R");

    @Test
    void thePageShowsTheCodeThatIsRunHere() {
        Docs.assertCodeIsThatOf(
                TestingPageTests.class, IMPORT.matcher(Docs.page("testing.md")).replaceAll(""), 4);
    }

    @Test
    void importedClassesExist() {
        assertThat(IMPORT.matcher(Docs.page("testing.md")).results().map(shown -> shown.group(1)))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(ClassUtils.isPresent(name, null)).isTrue());
    }

    @Test
    void cachedContextsWithThePropertiesForDynamoDbDoNotDisturbEachOther() {
        String section = Docs.page("testing.md").split("\n## With DynamoDB\n", 2)[1];
        String[] properties = Docs.blocks("properties", section).get(0).lines().toArray(String[]::new);
        ApplicationContextRunner contexts = new ApplicationContextRunner()
                .withInitializer(context -> RandomValuePropertySource.addToEnvironment(context.getEnvironment()))
                .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
                .withUserConfiguration(OneStoreForAllContexts.class)
                .withPropertyValues(properties);

        contexts.run(cached -> {
            assertThat(cached.getBean(LockManager.class).tryAcquire("job")).isPresent();
            contexts.run(next -> assertThat(next.getBean(LockManager.class).tryAcquire("job"))
                    .isPresent());
        });
        assertThat(properties).contains("dynamolock.shutdown.grace-period=0s");
    }

    @Test
    void contextsWithTheStoreForLocalDevelopmentExcludeEachOther() {
        Docs.assertCodeIsThatOf(TestingPageTests.class, Docs.page("local-development.md"), 1);
        ApplicationContextRunner contexts = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
                .withUserConfiguration(OneStoreForAllContexts.class)
                .withPropertyValues("dynamolock.shutdown.grace-period=0s");

        contexts.run(one -> {
            assertThat(one.getBean(LockManager.class).tryAcquire("report")).isPresent();
            contexts.run(other -> assertThat(other.getBean(LockManager.class).tryAcquire("report"))
                    .isEmpty());
        });
    }

    static final class OneStoreForAllContexts {

        static final InMemoryLockStore STORE = new InMemoryLockStore();

        @Bean
        InMemoryLockStore lockStore() {
            return STORE;
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Invoices invoices() {
            return new Invoices();
        }
    }

    static class Invoices {

        @DistributedLock(name = "invoice-#{#order}", waitTime = "5s")
        public String write(String order) {
            return "invoice " + order;
        }

        @DistributedLock("all-invoices")
        public void check(Runnable inTheMiddle) {
            inTheMiddle.run();
            Locks.assertHeld();
        }
    }

    @Nested
    @SpringBootTest
    @AutoConfigureTestLocks
    class InvoicesTests {

        @Autowired
        Invoices invoices;

        @Autowired
        LockRecorder locks;

        @Autowired
        Rival rival;

        @Autowired
        TestClock clock;

        @Test
        void anInvoiceIsWrittenUnderItsLock() {
            invoices.write("4711");

            assertThat(locks.acquired())
                    .extracting(RecordedLock::name, RecordedLock::state)
                    .containsExactly(tuple("invoice-4711", LeaseState.RELEASED));
        }

        @Test
        void invoiceWrittenByAnotherIsRejectedAfterFiveSeconds() {
            rival.hold("invoice-4711");
            CompletableFuture<String> caller = CompletableFuture.supplyAsync(() -> invoices.write("4711"));

            await().until(() -> locks.waitedFor().contains("invoice-4711"));
            clock.advance(Duration.ofSeconds(5)); // it waits by this clock

            assertThatThrownBy(caller::join).hasCauseInstanceOf(LockBusyException.class);
            assertThat(locks.busy()).containsExactly("invoice-4711");
        }

        @Test
        void theCheckKeepsItsLockHoweverLongItTakes() {
            invoices.check(() -> clock.advance(Duration.ofHours(2))); // renewed all the while
        }

        @Test
        void theCheckNoticesThatItsLockWasLost() {
            assertThatThrownBy(() -> invoices.check(() -> clock.pauseProcess(Duration.ofMinutes(1)))) // a long pause
                    .hasMessageContaining("all-invoices");
        }
    }

    @Nested
    class CheckTests {

        final Invoices invoices = new Invoices(); // no Spring, no proxy

        @Test
        void theCheckNoticesTheLossOfItsLock() {
            try (TestLocks lock = TestLocks.assumeHeld("all-invoices")) {
                invoices.check(() -> {});
                assertThatThrownBy(() -> invoices.check(lock::lose)).isInstanceOf(LeaseLostException.class);
            }
        }
    }

    @Nested
    class CounterTests {

        final TestClock clock = new TestClock();
        final InMemoryLockStore store = new InMemoryLockStore(clock);
        final LockRecorder locks = new LockRecorder();
        final LockManager manager =
                LockManager.builder(store).testClock(clock).listener(locks).build();
        final Rival rival = Rival.on(store, clock);

        @AfterEach
        void end() {
            rival.close();
            manager.close();
        }

        @Test
        void aCrashedRivalBlocksOthersForOneLease() {
            long before = rival.hold("counter").fencingToken();
            rival.crash();
            assertThat(manager.tryAcquire("counter")).isEmpty();

            clock.advance(Duration.ofSeconds(31));

            try (Lease lease = manager.tryAcquire("counter").orElseThrow()) {
                assertThat(lease.fencingToken()).isGreaterThan(before);
            }
            assertThat(locks.acquired()).hasSize(1);
        }
    }
}
