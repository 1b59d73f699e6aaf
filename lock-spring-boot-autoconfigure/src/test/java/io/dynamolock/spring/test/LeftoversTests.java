/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockManager;
import io.dynamolock.coordination.CircuitSwitch;
import io.dynamolock.coordination.Once;
import io.dynamolock.spring.Leadership;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A test method leaves the next one what the application had before it, and its leader. */
@SpringBootTest(classes = LeftoversTests.Shop.class, properties = "dynamolock.leader.name=boss")
@AutoConfigureTestLocks
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeftoversTests {

    private static final AtomicInteger MIGRATIONS = new AtomicInteger();

    @Autowired
    private LockManager locks;

    @Autowired
    private Leadership leadership;

    @Autowired
    private Rival rival;

    @Autowired
    private TestClock clock;

    @Test
    @Order(1)
    void leaderIsElectedAgain() {
        awaitLeading(true);
        rival.steal("boss");
        awaitLeading(false);
        rival.release("boss");
        awaitLeading(true);
        CircuitSwitch.of(locks, "of this test").open(Duration.ofHours(5));
    }

    @Test
    @Order(2)
    void itIsStillTheLeader() {
        assertThat(leadership.isLeader()).isTrue();
    }

    @Test
    @Order(3)
    void workIsStillDoneAndSwitchesAreStillOpen() throws Exception {
        Once.of(locks, "migration").run(MIGRATIONS::incrementAndGet);

        assertThat(MIGRATIONS).hasValue(1);
        assertThat(CircuitSwitch.of(locks, "paused").isOpen()).isTrue();
        assertThat(CircuitSwitch.of(locks, "of this test").isOpen()).isFalse();
    }

    private void awaitLeading(boolean leads) {
        await().until(() -> {
            clock.advance(Duration.ofSeconds(1));
            return leadership.isLeader() == leads;
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        ApplicationRunner start(LockManager locks) {
            return unused -> {
                Once.of(locks, "migration").run(MIGRATIONS::incrementAndGet);
                CircuitSwitch.of(locks, "paused").open(Duration.ofHours(5));
            };
        }
    }
}
