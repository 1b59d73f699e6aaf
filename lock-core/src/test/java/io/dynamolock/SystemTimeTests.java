/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases on wall clocks: a skew within the limit is harmless, a larger one is reported. */
class SystemTimeTests {

    private static final LockSettings SYSTEM = Node.settings(Duration.ofSeconds(30), LeaseTime.SYSTEM);

    private final ManualTime storeTime = new ManualTime();
    private final InMemoryLockStore rows = new InMemoryLockStore(storeTime);

    @ParameterizedTest
    @ValueSource(longs = {-1_000, -999, -500, 0, 1, 500, 1_000})
    void skewWithinLimitIsHarmless(long apartMillis) throws InterruptedException {
        Node holder = node(Duration.ofMillis(-apartMillis / 2));
        Node rival = node(Duration.ofMillis(apartMillis - apartMillis / 2));
        Lease lease = holder.locks.acquire(LockRequest.of("job").autoRenew(false));
        boolean held = true;
        Optional<Lease> taken = Optional.empty();

        Duration step = Duration.ofSeconds(28); // then millisecond by millisecond
        for (int steps = 0; taken.isEmpty() && steps < 12_000; steps++) {
            for (ManualTime time : List.of(storeTime, holder.time, rival.time)) {
                time.pass(step);
            }
            step = Duration.ofMillis(1);
            held = lease.isHeld();
            taken = node(Duration.between(storeTime.instant(), rival.time.instant()))
                    .locks
                    .tryAcquire("job");
        }

        assertThat(taken).isPresent();
        assertThat(held).isFalse();
    }

    @Test
    void skewBeyondLimitIsMeasuredAndReported() {
        List<Duration> skews = new ArrayList<>();
        LockManager locks = managerWithWallClockOff(Duration.ofSeconds(5), skews);

        try (CapturedLogs logs = new CapturedLogs()) {
            for (int i = 0; i < 20; i++) {
                locks.tryAcquire("job-" + i);
            }

            assertThat(skews).hasSizeGreaterThanOrEqualTo(20);
            assertThat(skews)
                    .allSatisfy(skew -> assertThat(skew).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6)));
            assertThat(logs.warnings())
                    .as("once, not once a request")
                    .singleElement()
                    .asString()
                    .contains("wall clock is off", "allowed skew of 1s");
        }
        locks.close();
    }

    @Test
    void skewWithinLimitIsReportedWithoutWarning() {
        List<Duration> skews = new ArrayList<>();
        LockManager locks = managerWithWallClockOff(Duration.ofMillis(400), skews);

        try (CapturedLogs logs = new CapturedLogs()) {
            locks.tryAcquire("job");

            assertThat(skews).isNotEmpty();
            assertThat(logs.warnings()).isEmpty();
        }
        locks.close();
    }

    private LockManager managerWithWallClockOff(Duration error, List<Duration> skews) {
        ManualTime mine = new ManualTime();
        mine.stepWall(error);
        return LockManager.builder(rows)
                .time(LeaseTime.SYSTEM)
                .clock(mine)
                .nanoTime(mine::nanos)
                .shutdownGrace(Duration.ZERO)
                .listener(new LockListener() {
                    @Override
                    public void onClockSample(Duration skew, Duration width) {
                        skews.add(skew);
                    }
                })
                .build();
    }

    private Node node(Duration wallError) {
        ManualTime clocks = new ManualTime();
        clocks.stepWall(Duration.between(clocks.instant(), storeTime.instant()).plus(wallError));
        return Node.on(clocks, rows, SYSTEM);
    }
}
