/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.spring.Leadership;
import io.dynamolock.spring.LeadershipEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/** Applications that elect a leader, in processes of their own. */
class LeaderProcessTests {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** The lease, the width of the clocks, a poll and some time for a slow machine. */
    private static final Duration TAKEOVER = LEASE.plusSeconds(8);

    private final String table = TestClients.newTableName();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void kill() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(String... properties) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--dynamolock.leader.name=reporter",
                "--logging.config=classpath:logback-console.xml",
                "--spring.main.banner-mode=off"));
        Stream.of(properties).map(property -> "--" + property).forEach(arguments::add);
        Process process = ApplicationJvm.start(ApplicationJvm.CLASS_PATH, Application.class, arguments);
        processes.add(process);
        return process;
    }

    private String[] onDynamoDb() {
        return Stream.concat(
                        Stream.of(TestClients.ownClient()),
                        Stream.of("dynamolock.table.name=" + table, "dynamolock.lease.duration=" + LEASE))
                .toArray(String[]::new);
    }

    @Test
    @Tag("proof")
    void successorOfAKilledLeaderLeads() throws Exception {
        Process leader = start(onDynamoDb());
        BufferedReader output = leader.inputReader(StandardCharsets.UTF_8);
        Awaitility.await().until(() -> output.readLine().contains("granted"));

        Polls polls = new Polls(Thread.currentThread());

        TestClients.contexts()
                .withConfiguration(AutoConfigurations.of(DynamolockLeaderAutoConfiguration.class))
                .withBean(Polls.class, () -> polls)
                .withPropertyValues(onDynamoDb())
                .withPropertyValues("dynamolock.leader.name=reporter")
                .run(context -> {
                    Leadership leadership = context.getBean(Leadership.class);
                    LockManager locks = context.getBean(LockManager.class);
                    LockState before = locks.inspect("reporter");
                    Instant afterTwoLeases = endOf(before).plus(LEASE);
                    Awaitility.await()
                            .pollInSameThread()
                            .until(() -> polls.count() > 1
                                    && endOf(locks.inspect("reporter")).isAfter(afterTwoLeases));
                    assertThat(leadership.isLeader()).isFalse();

                    leader.destroyForcibly();

                    Awaitility.await().atMost(TAKEOVER).until(leadership::isLeader);
                    assertThat(leadership.lease().map(Lease::fencingToken).orElseThrow())
                            .isGreaterThan(before.fencingToken());
                });
    }

    private static Instant endOf(LockState state) {
        return Objects.requireNonNull(state.expiresAt());
    }

    /** Counts the reads of a candidate, which are on other threads than those of the test. */
    private static final class Polls implements LockListener {

        private final Thread test;
        private final AtomicInteger count = new AtomicInteger();

        Polls(Thread test) {
            this.test = test;
        }

        @Override
        public void onRequest(String name, Operation operation, RequestOutcome outcome) {
            if (operation == Operation.READ && !Thread.currentThread().equals(test)) {
                count.incrementAndGet();
            }
        }

        int count() {
            return count.get();
        }
    }

    @Test
    void applicationThatLostLeadershipExitsWithStatusOne() throws Exception {
        Process leader = start(
                "dynamolock.store=memory",
                "dynamolock.lease.duration=300ms",
                "dynamolock.leader.exit-on-loss=true",
                "lose=true");

        String output = ApplicationJvm.outputOf(leader);

        assertThat(leader.exitValue()).as(output).isEqualTo(1);
        assertThat(output)
                .contains("because it does not lead 'reporter' any more (dynamolock.leader.exit-on-loss)")
                .containsOnlyOnce("granted")
                .containsSubsequence("granted", "revoked", "the application's own bean is closed");
    }

    @Test
    void leaderThatIsStoppedExitsNormally() throws Exception {
        Process leader = start("dynamolock.store=memory", "dynamolock.leader.exit-on-loss=true", "stop=true");

        String output = ApplicationJvm.outputOf(leader);

        assertThat(leader.exitValue()).as(output).isZero();
        assertThat(output).containsSubsequence("granted", "the application's own bean is closed");
    }

    /** Application that leads, loses leadership or stops. */
    @EnableAutoConfiguration
    static class Application implements AutoCloseable {

        public static void main(String... args) throws InterruptedException {
            ConfigurableApplicationContext context = SpringApplication.run(Application.class, args);
            Awaitility.await().until(context.getBean(Leadership.class)::isLeader);
            LockManager locks = context.getBean(LockManager.class);
            if (context.getEnvironment().getProperty("stop") != null) {
                context.close();
                return;
            }
            if (context.getEnvironment().getProperty("lose") != null) {
                locks.forceRelease(
                        "reporter",
                        Objects.requireNonNull(locks.inspect("reporter").leaseId()));
            }
            Thread.sleep(120_000);
        }

        @EventListener
        void on(LeadershipEvent event) {
            System.out.println(event instanceof LeadershipEvent.Granted ? "granted" : "revoked");
        }

        @Override
        public void close() {
            System.out.println("the application's own bean is closed");
        }
    }
}
