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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** What {@code dynamolock.on-lost=shutdown} does. */
class ApplicationExitTests {

    private static final LeaseLost LOSS =
            new LeaseLost("leader", "me", LeaseLost.Reason.TAKEN, Instant.EPOCH, "somebody");

    @Test
    void closesTheApplicationAndThenExitsWithStatusOne() {
        new ApplicationContextRunner().run(context -> {
            ConfigurableApplicationContext application =
                    context.getSourceApplicationContext(ConfigurableApplicationContext.class);
            List<String> seen = new ArrayList<>();

            new ApplicationExit(application, status -> seen.add(status + ", active: " + application.isActive()))
                    .accept(LOSS);

            assertThat(seen).containsExactly("1, active: false");
        });
    }

    @Test
    void endsAProcessThatLostItsLockInOrderAndWithStatusOne() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Leader.class.getName())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isEqualTo(1);
        assertThat(output)
                .contains("it must not go on without lock 'leader'", "the application's own bean is closed")
                .doesNotContain("still there");
    }

    /** An application that would go on for ever, and loses its lock. */
    @EnableAutoConfiguration
    static class Leader implements AutoCloseable {

        public static void main(String... args) throws InterruptedException {
            LockManager locks = SpringApplication.run(
                            Leader.class,
                            "--dynamolock.store=memory",
                            "--dynamolock.on-lost=shutdown",
                            "--dynamolock.heartbeat.interval=20ms")
                    .getBean(LockManager.class);
            Lease lease = locks.acquire(LockRequest.of("leader"));
            locks.forceRelease("leader", lease.id());
            Thread.sleep(60_000);
            System.out.println("still there");
        }

        @Override
        public void close() {
            System.out.println("the application's own bean is closed");
        }
    }
}
