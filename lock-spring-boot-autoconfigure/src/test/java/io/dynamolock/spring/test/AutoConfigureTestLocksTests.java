/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.test.LockRecorder;
import io.dynamolock.test.RecordedLock;
import io.dynamolock.test.Rival;
import io.dynamolock.time.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Test of an application with test locks and the properties of production. */
@SpringBootTest(
        classes = AutoConfigureTestLocksTests.Shop.class,
        properties = {
            "dynamolock.table.name=production-locks",
            "dynamolock.name-prefix=shop:",
            "dynamolock.lease.duration=45s",
            "dynamolock.managers.billing.table.name=billing-locks"
        })
@AutoConfigureTestLocks
@TestMethodOrder(OrderAnnotation.class)
class AutoConfigureTestLocksTests {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        Clock clock() {
            return Clock.system(ZoneOffset.MIN);
        }

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        Till till() {
            return new Till();
        }

        @Bean
        Lease heldForLife(LockManager locks) {
            return locks.tryAcquire("leader").orElseThrow();
        }
    }

    static class Till {

        @DistributedLock(name = "till", minHold = "1h")
        void close() {}

        @DistributedLock(name = "bill", minHold = "1h", manager = "billing")
        void bill() {}
    }

    @Autowired
    private ApplicationContext context;

    @Autowired
    private TestClock clock;

    @Autowired
    private LockRecorder locks;

    @Autowired
    private Rival rival;

    @Autowired
    private LockManager manager;

    @Autowired
    @Qualifier("billing")
    private LockManager billing;

    @Autowired
    private MeterRegistry meters;

    @Autowired
    private Till till;

    @Autowired
    private Lease heldForLife;

    @Test
    @Order(1)
    void aTestMayLeaveThings() {
        till.close();
        till.bill();
        Lease left = manager.tryAcquire("left").orElseThrow();
        rival.hold("rivals");
        manager.tryAcquire("rivals");

        assertThat(left.isHeld()).isTrue();
        assertThat(locks.acquired()).extracting(RecordedLock::name).containsExactly("till", "bill", "left");
        assertThat(locks.busy()).containsExactly("rivals");
        assertThat(manager.tryAcquire("till")).as("at rest for an hour").isEmpty();
    }

    @Test
    void aLeaseOfItsOwnMakesTheLockOfANamedManagerBusyButTheRivalDoesNot() {
        rival.hold("bill");
        try (Lease held = billing.tryAcquire("bill").orElseThrow()) {
            assertThatThrownBy(till::bill).isInstanceOf(LockBusyException.class);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void whatIsMeasuredGoesByTheSameClock() {
        clock.advance(Duration.ofHours(1));
        try (Lease lease = manager.tryAcquire("job").orElseThrow()) {
            clock.advance(Duration.ofMinutes(10));
            assertThat(lease.isHeld()).isTrue();
        }

        assertThat(meters.get("dynamolock.hold")
                        .tag("manager", "dynamolockManager")
                        .timer()
                        .max(TimeUnit.MINUTES))
                .isBetween(10.0, 11.0);
    }

    @Test
    @Order(2)
    void andTheNextOneFindsNoneOfThem() {
        assertThat(locks.acquired()).isEmpty();
        assertThat(locks.busy()).isEmpty();

        rival.hold("rivals");
        rival.hold("till");
        rival.hold("left");
        assertThat(billing.tryAcquire("bill")).isPresent();
    }

    @Test
    @Order(3)
    void butWhatTheApplicationHoldsForItsLifeStays() {
        clock.advance(Duration.ofHours(1));

        assertThat(heldForLife.isHeld()).isTrue();
        assertThat(manager.inspect("leader").leaseId()).isEqualTo(heldForLife.id());
    }

    @Test
    void leasesUseTestClockAndDurationOfApplication() {
        rival.hold("job");
        rival.crash();

        clock.advance(Duration.ofSeconds(40));
        assertThat(manager.tryAcquire("job")).isEmpty();

        clock.advance(Duration.ofSeconds(6));
        assertThat(manager.tryAcquire("job")).isPresent();
    }

    @Test
    void theApplicationsOwnClockIsItsOwn(@Autowired Clock injected) {
        assertThat(injected).isNotSameAs(clock);
        assertThat(injected.getZone()).isEqualTo(ZoneOffset.MIN);
    }

    @Test
    void noClientIsMade() {
        assertThat(context.getBeanProvider(DynamoDbClient.class)).isEmpty();
    }

    @Nested
    class InNestedTests {

        @Test
        void itIsTheSame() {
            rival.hold("till");

            assertThat(manager.tryAcquire("till")).isEmpty();
        }
    }
}
