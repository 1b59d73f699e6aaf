/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockSettings;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that holds a lock is killed (SIGKILL): nobody releases, and nobody renews any more. How long after its last
 * renewal another process has the lock, and that it never has it before the dead one's lease has ended. What the machine
 * itself is late meanwhile, because it is busy with other things, is measured beside it and taken off.
 */
@Tag("proof")
class KilledHolderTests {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration SKEW = LockSettings.DEFAULTS.maxClockSkew();

    /** Width of a process's knowledge of the store's time after its first sample. */
    private static final Duration WIDTH = Duration.ofSeconds(1);

    private static final Duration ALLOWANCE = Duration.ofMillis(250);

    private final String table = LocalDynamoDb.newTable();

    @ParameterizedTest
    @EnumSource(names = {"SERVER", "SYSTEM"})
    void freshProcessAcquiresOnFirstAttemptWithinOneLease(LeaseTime time) throws Exception {
        try (ChildJvm holder = start(time);
                ChildJvm fresh = start(time)) {
            holder.whenReady();
            fresh.whenReady();
            Duration free = time == LeaseTime.SERVER
                    ? LEASE.minus(SKEW).plus(clockWidth(holder)).plus(clockWidth(fresh))
                    : LEASE.plus(ChildProcess.SKEW);
            holder.send("hold", "job");
            long token = holder.receiveNumber("token");

            TakeoverRun.of(holder, LEASE).waitUntil(free.plus(ALLOWANCE)); // the widths have grown since
            fresh.send("try", "job");

            String response = fresh.receive();
            assertThat(response).matches("token \\d+ requests 1");
            assertThat(Long.parseLong(response.split(" ", -1)[1])).isGreaterThan(token);
        }
    }

    /** A waiter that starts shortly before the lease end takes over by the clock: observation would take longer. */
    @Test
    void runningProcessTakesOverWithinLeasePlusSkew() throws Exception {
        hasTheLockWithin(
                LEASE.plus(SKEW), LeaseTime.SERVER, true, LEASE.multipliedBy(9).dividedBy(10));
    }

    @Test
    void freshProcessTakesOverWithinTwoMoreWidths() throws Exception {
        Duration late = LEASE.plus(SKEW).plus(WIDTH.dividedBy(2));
        hasTheLockWithin(LEASE.plus(SKEW).plus(WIDTH.multipliedBy(2)), LeaseTime.SERVER, false, late);
    }

    @Test
    void observerTakesOverWithoutSkew() throws Exception {
        hasTheLockWithin(LEASE, LeaseTime.SERVER, false, Duration.ZERO);
    }

    @Test
    void observedTimeTakesOverWithinTwoLeases() throws Exception {
        hasTheLockWithin(
                LEASE.multipliedBy(2),
                LeaseTime.OBSERVED,
                false,
                LEASE.multipliedBy(9).dividedBy(10));
    }

    /**
     * Lets a process wait for the lock of a killed holder.
     *
     * @param bound when it must have the lock
     * @param running whether both have talked to the store for a while, so that they know the time well
     * @param begin when it begins to wait
     */
    private void hasTheLockWithin(Duration bound, LeaseTime time, boolean running, Duration begin) throws Exception {
        try (ChildJvm holder = start(time);
                ChildJvm rival = start(time)) {
            holder.whenReady();
            rival.whenReady();
            if (running) {
                talk(holder, rival);
            }
            holder.send("hold", "job");
            long token = holder.receiveNumber("token");
            TakeoverRun takeover = TakeoverRun.of(holder, LEASE);
            try (Stalls stalls = new Stalls()) {
                takeover.waitUntil(begin);

                rival.send("wait", "job");

                long next = rival.receiveNumber("token");
                Duration took = takeover.time();
                Duration late = stalls.total();
                assertThat(next).isGreaterThan(token);
                assertThat(took).isGreaterThanOrEqualTo(LEASE);
                assertThat(took.minus(late))
                        .as("%s after the last renewal, of which the machine was late by %s", took, late)
                        .isLessThanOrEqualTo(bound.plus(ALLOWANCE));
            }
        }
    }

    /** Returns how well a process knows the store's time after its warm-up, including the skew of its front ends. */
    private static Duration clockWidth(ChildJvm process) throws InterruptedException {
        process.send("width");
        return Duration.ofMillis(process.receiveNumber("width") + 1);
    }

    /** Lets processes send requests for slightly more than a second, the resolution of the store's dates. */
    private static void talk(ChildJvm... processes) throws InterruptedException {
        for (ChildJvm process : processes) {
            process.send("talk", 1200);
        }
        for (ChildJvm process : processes) {
            assertThat(process.receive()).isEqualTo("talked");
        }
    }

    private ChildJvm start(LeaseTime time) throws IOException {
        return ChildJvm.start(table, LEASE, time);
    }
}
