/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.Locking;
import io.dynamolock.spring.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ExitCodeEvent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.mock.env.MockEnvironment;

/** Shutdown of the application by {@code dynamolock.on-lost=shutdown}. */
class ApplicationExitTests {

    private static final LeaseLost LOSS =
            new LeaseLost("leader", "me", LeaseLost.Reason.TAKEN, Instant.EPOCH, "somebody");

    @Test
    void closesTheApplicationAndThenExitsWithStatusOne() {
        new ApplicationContextRunner().run(context -> {
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            List<String> seen = new ArrayList<>();

            IntConsumer exit = status -> seen.add(status + ", active: " + application.isActive());
            new ApplicationExit(application, () -> 60_000, exit, status -> seen.add("halted")).accept(LOSS);

            assertThat(seen).containsExactly("1, active: false");
        });
    }

    @Test
    void haltsAnApplicationThatDoesNotClose() {
        CountDownLatch hanging = new CountDownLatch(1);
        BlockingQueue<Integer> halts = new LinkedBlockingQueue<>();
        new ApplicationContextRunner()
                .withBean(Hanging.class, () -> new Hanging(hanging))
                .run(context -> {
                    ConfigurableApplicationContext application =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);
                    Thread ending = new Thread(
                            () -> new ApplicationExit(application, () -> 1, exit -> {}, halts::add).accept(LOSS));
                    ending.start();

                    assertThat(halts.poll(60, TimeUnit.SECONDS)).isOne();
                    hanging.countDown();
                    ending.join(60_000);
                });
    }

    @Test
    void haltsNoApplicationThatHasEnded() throws Exception {
        BlockingQueue<Integer> halts = new LinkedBlockingQueue<>();
        CompletableFuture<Thread> halting = new CompletableFuture<>();
        LongSupplier patience = () -> {
            halting.complete(Thread.currentThread());
            return 600_000;
        };
        new ApplicationContextRunner().run(context -> {
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            ApplicationExit exit = new ApplicationExit(application, patience, status -> {}, halts::add);
            Thread ending = new Thread(() -> exit.accept(LOSS));
            ending.setDaemon(true); // as those of lock managers
            ending.start();
            ending.join(60_000);
        });

        Thread thread = halting.get(60, TimeUnit.SECONDS);
        assertThat(thread.isDaemon()).isFalse(); // so the process does not end before its exit
        thread.join(60_000);
        assertThat(thread.isAlive()).isFalse();
        assertThat(halts).isEmpty();
    }

    @Test
    @ExtendWith(LogCapture.class)
    void exitsAfterErrorOfTheShutdownWhichIsLogged(CapturedOutput output) {
        List<Integer> statuses = new ArrayList<>();
        ApplicationListener<ExitCodeEvent> broken = exit -> {
            throw new NoClassDefFoundError("Missing");
        };
        new ApplicationContextRunner()
                .withInitializer(context -> context.addApplicationListener(broken))
                .run(context -> {
                    ConfigurableApplicationContext application =
                            context.getSourceApplicationContext(ConfigurableApplicationContext.class);
                    new ApplicationExit(application, () -> 60_000, statuses::add, halt -> {}).accept(LOSS);
                });

        assertThat(statuses).containsExactly(1);
        assertThat(output).contains("NoClassDefFoundError: Missing");
    }

    @Test
    void haltTimeoutCoversOrderlyShutdown() {
        MockEnvironment environment = new MockEnvironment();

        assertThat(ApplicationExit.haltTimeoutMillis(Duration.ofSeconds(5), environment))
                .isEqualTo(45_000);

        environment.setProperty("spring.lifecycle.timeout-per-shutdown-phase", "2s");
        assertThat(ApplicationExit.haltTimeoutMillis(Duration.ZERO, environment))
                .isEqualTo(12_000);
        assertThat(ApplicationExit.haltTimeoutMillis(Duration.ofSeconds(Long.MAX_VALUE), environment))
                .isGreaterThan(Duration.ofDays(365).toMillis());
    }

    @Test
    void haltTimeoutCoversManagerThatClosesLast() {
        Locking.inMemory()
                .withPropertyValues(
                        "dynamolock.shutdown.grace-period=1s",
                        "dynamolock.managers.billing.shutdown.grace-period=20s",
                        "dynamolock.managers.orders.shutdown.grace-period=3s")
                .run(context -> assertThat(
                                context.getBean(LockManagerFactory.class).exitMillis())
                        .isEqualTo(60_000));
    }

    @Test
    void processThatLostItsLockExitsInOrderWithStatusOne() throws Exception {
        Process process = ApplicationJvm.start(ApplicationJvm.CLASS_PATH, Leader.class, List.of());

        String output = ApplicationJvm.outputOf(process);
        assertThat(process.exitValue()).as(output).isEqualTo(1);
        assertThat(output)
                .contains("because lock 'leader' was lost", "the application's own bean is closed")
                .doesNotContain("still there");
    }

    /** Bean whose destruction waits forever. */
    private record Hanging(CountDownLatch end) implements DisposableBean {

        @Override
        public void destroy() throws InterruptedException {
            end.await();
        }
    }

    /** Application with a server whose thread ends while the context closes, and which loses its lock. */
    @EnableAutoConfiguration
    static class Leader implements DisposableBean {

        private final CountDownLatch stopped = new CountDownLatch(1);
        private final Thread server = new Thread(this::serve);

        public static void main(String... args) throws InterruptedException {
            ConfigurableApplicationContext application = SpringApplication.run(
                    Leader.class,
                    "--dynamolock.store=memory",
                    "--dynamolock.on-lost=shutdown",
                    "--logging.config=classpath:logback-console.xml",
                    "--dynamolock.heartbeat.interval=20ms");
            application.getBean(Leader.class).server.start();
            LockManager locks = application.getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("leader"));
            locks.forceRelease("leader", lease.id());
        }

        private void serve() {
            try {
                if (!stopped.await(60, TimeUnit.SECONDS)) {
                    System.out.println("still there");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ends after the server, so that a process without other threads would have ended before. */
        @Override
        public void destroy() throws InterruptedException {
            stopped.countDown();
            server.join();
            Thread.sleep(500);
            System.out.println("the application's own bean is closed");
        }
    }
}
