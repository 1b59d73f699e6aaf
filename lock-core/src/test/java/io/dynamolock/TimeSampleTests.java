/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.TimeSample;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** A manager built some time after its table was checked. */
class TimeSampleTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final FaultyStore store = new FaultyStore(new InMemoryLockStore());
    private final long nanos = System.nanoTime();
    private final Instant wall = Instant.now();

    private TimeSample sample(Instant sentAt, Instant receivedAt, Instant served, Duration ago) {
        long then = nanos - ago.toNanos();
        return new TimeSample(then, sentAt, then, receivedAt, served.truncatedTo(ChronoUnit.SECONDS));
    }

    private void acquire(TimeSample sample) {
        try (LockManager locks = LockManager.builder(store)
                .leaseDuration(LEASE)
                .time(LeaseTime.SERVER)
                .timeSample(sample)
                .shutdownGrace(Duration.ZERO)
                .build()) {
            assertThat(locks.tryAcquire("job")).isPresent();
            Instant end = Node.row(store, "job").expiresAt();
            assertThat(end).isAfterOrEqualTo(wall.plus(LEASE));
        }
    }

    @Test
    void sampleIsValidAfterHalfAnHour() {
        Duration ago = Duration.ofMinutes(30);
        Instant then = wall.minus(ago);
        acquire(sample(then, then, then, ago));

        assertThat(store.operations()).startsWith(Operation.ACQUIRE);
    }

    @Test
    void sampleOlderThanAnHourIsInvalid() {
        Duration ago = Duration.ofMinutes(61);
        Instant then = wall.minus(ago);
        acquire(sample(then, then, then, ago));

        assertThat(store.operations()).startsWith(Operation.READ, Operation.ACQUIRE);
    }

    @Test
    void suspensionAfterSampleRequiresNewSample() {
        Instant then = wall.minus(Duration.ofMinutes(10));
        acquire(sample(then, then, then, Duration.ZERO));

        assertThat(store.operations()).startsWith(Operation.READ, Operation.ACQUIRE);
    }

    @Test
    void suspensionDuringSampleDoesNotMislead() {
        Instant then = wall.minus(Duration.ofMinutes(10));
        acquire(sample(then, wall, then, Duration.ZERO));
    }
}
