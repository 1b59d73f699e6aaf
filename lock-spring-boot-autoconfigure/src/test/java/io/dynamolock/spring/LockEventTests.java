/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

/** What an application hears of its locks. */
class LockEventTests {

    private final ApplicationContextRunner contexts =
            Locking.inMemory().withBean(Hearing.class).withBean(Failing.class);

    @Test
    void tellOfAnAcquisitionAndItsRelease() {
        contexts.run(context -> {
            Lease lease = context.getBean(LockManager.class).tryAcquire("job").orElseThrow();
            lease.release();

            assertThat(context.getBean(Hearing.class).events)
                    .hasExactlyElementsOfTypes(LockEvent.Acquired.class, LockEvent.Released.class)
                    .allSatisfy(event -> assertThat(event.lockName()).isEqualTo("job"))
                    .allSatisfy(event -> assertThat(event.fencingToken()).isEqualTo(lease.fencingToken()));
        });
    }

    @Test
    void tellOfALossOnceAndWhy() {
        contexts.run(context -> {
            LockManager locks = context.getBean(LockManager.class);
            List<LockEvent> events = context.getBean(Hearing.class).events;
            LockRequest brief =
                    LockRequest.of("job").leaseDuration(Duration.ofMillis(150)).autoRenew(false);
            Lease lease = locks.tryAcquire(brief).orElseThrow();

            Awaitility.await().until(() -> events.stream().anyMatch(LockEvent.Lost.class::isInstance));

            assertThat(lease.isHeld()).isFalse();
            assertThat(events.stream().filter(LockEvent.Lost.class::isInstance))
                    .singleElement()
                    .satisfies(event ->
                            assertThat(((LockEvent.Lost) event).loss().reason()).isEqualTo(Reason.EXPIRED));
        });
    }

    static final class Hearing {

        private final List<LockEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void hear(LockEvent event) {
            events.add(event);
        }
    }

    static final class Failing {

        @EventListener
        void fail(LockEvent.Acquired event) {
            throw new IllegalStateException("on purpose, at " + event.lockName());
        }
    }
}
