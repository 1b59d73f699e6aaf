/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Unrenewed leases of hours on machines whose clocks drift as far as allowed. */
class DriftTests {

    private static final Duration LOOK = Duration.ofMinutes(10);
    private static final Duration STEP = Duration.ofMillis(100);

    private final ManualTime trueTime = new ManualTime();
    private final InMemoryLockStore rows = new InMemoryLockStore(trueTime);

    @ParameterizedTest
    @CsvSource({
        "4, SERVER, SERVER",
        "24, SERVER, SERVER",
        "4, SERVER, OBSERVED",
        "4, OBSERVED, SERVER",
        "4, OBSERVED, OBSERVED",
        "24, OBSERVED, OBSERVED"
    })
    void slowHolderWithoutResponsesStopsBeforeFastRivalStarts(int hours, LeaseTime holders, LeaseTime rivals)
            throws InterruptedException {
        Duration length = Duration.ofHours(hours);
        Node holder = Node.on(new ManualTime(), rows, Node.settings(length, holders));
        Node rival = Node.on(new ManualTime(), rows, Node.settings(length, rivals));
        Lease lease = holder.locks.acquire(LockRequest.of("job").autoRenew(false));
        assertThat(rival.locks.tryAcquire("job")).isEmpty();

        for (Duration gone = LOOK; gone.compareTo(length) < 0; gone = gone.plus(LOOK)) {
            pass(LOOK, holder, rival);
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
        }
        Duration left = LOOK.minusMinutes(2);
        pass(left, holder, rival);
        Optional<Lease> taken = Optional.empty();
        for (Duration gone = left;
                taken.isEmpty() && gone.compareTo(LOOK.multipliedBy(2)) < 0;
                gone = gone.plus(STEP)) {
            pass(STEP, holder, rival);
            taken = rival.locks.tryAcquire("job");
            assertThat(taken.isPresent() && lease.isHeld()).isFalse();
        }

        assertThat(taken).isPresent();
    }

    /** Only the wall clock advances during a suspension, and it is slow as well. */
    @Test
    void suspendedHolderWithSlowWallClockStopsInTime() throws InterruptedException {
        Duration length = Duration.ofHours(4);
        Node holder = Node.on(new ManualTime(), rows, Node.settings(length, LeaseTime.SERVER));
        Node rival = Node.on(new ManualTime(), rows, Node.settings(length, LeaseTime.SERVER));
        Lease lease = holder.locks.acquire(LockRequest.of("job").autoRenew(false));
        Duration suspended = length.minusSeconds(2);

        trueTime.pass(suspended);
        rival.time.pass(suspended);
        holder.time.stepWall(suspended.minus(suspended.dividedBy(2_000)));
        Optional<Lease> taken = Optional.empty();
        for (int i = 0; taken.isEmpty() && i < 100; i++) {
            pass(STEP, holder, rival);
            taken = rival.locks.tryAcquire("job");
            assertThat(taken.isPresent() && lease.isHeld()).isFalse();
        }

        assertThat(taken).isPresent();
    }

    private void pass(Duration time, Node slow, Node fast) {
        trueTime.pass(time);
        slow.time.pass(time.minus(time.dividedBy(2_000)));
        fast.time.pass(time.plus(time.dividedBy(2_000)));
    }
}
