/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ObservedTimeTests {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ManualTime time = new ManualTime();
    private final Node holder = Node.on(time, new InMemoryLockStore(), Node.settings(LEASE, LeaseTime.OBSERVED));
    private final Node rival = holder.rival(time, Node.settings(Duration.ofSeconds(2), LeaseTime.OBSERVED));

    @Test
    void takesOverAfterRowIsUnchangedForItsDuration() {
        Lease dead = holder.take("job");
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        rival.store.forget();

        time.pass(LEASE);
        Optional<Lease> early = rival.locks.tryAcquire("job");
        time.pass(Duration.ofMillis(20));
        Optional<Lease> taken = rival.locks.tryAcquire("job");

        assertThat(early).isEmpty();
        assertThat(taken)
                .hasValueSatisfying(lease -> assertThat(lease.fencingToken()).isGreaterThan(dead.fencingToken()));
        assertThat(rival.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void ttlUsesStoreTimeNeverWallClock() {
        ManualTime storeTime = new ManualTime();
        ManualTime daysBehind = new ManualTime();
        daysBehind.stepWall(Duration.ofDays(-3));
        Node node = Node.on(daysBehind, new InMemoryLockStore(storeTime), Node.settings(LEASE, LeaseTime.OBSERVED));

        node.take("first");
        for (int responses = 0; responses < 3; responses++) {
            node.locks.inspect("first");
        }
        Lease second = node.take("second");
        second.renew();
        second.release();

        assertThat(node.store.sent().stream().map(FaultyStore.Sent::write))
                .filteredOn(LockWrite.Acquire.class::isInstance)
                .extracting(write -> ((LockWrite.Acquire) write).storeEnd())
                .satisfiesExactly(
                        unknown -> assertThat(unknown).isNull(),
                        known -> assertThat(known)
                                .isBetween(
                                        inStore(storeTime), inStore(storeTime).plusSeconds(2)));
        assertThat(node.store.sent().stream().map(FaultyStore.Sent::write))
                .filteredOn(LockWrite.Renew.class::isInstance)
                .extracting(write -> ((LockWrite.Renew) write).storeEnd())
                .allSatisfy(known -> assertThat(known).isAfterOrEqualTo(inStore(storeTime)));
        assertThat(node.store.sent().stream().map(FaultyStore.Sent::write))
                .filteredOn(LockWrite.Release.class::isInstance)
                .extracting(write -> ((LockWrite.Release) write).at())
                .allSatisfy(known -> assertThat(known).isAfterOrEqualTo(storeTime.instant()));
    }

    @Test
    void rowOfMachineWhoseClockIsYearsAheadIsNotCorrupt() {
        ManualTime ahead = new ManualTime();
        ahead.stepWall(Duration.ofDays(1_000));
        holder.rival(ahead, Node.settings(LEASE, LeaseTime.OBSERVED)).take("job");

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
            assertThat(rival.locks.inspect("job").status()).isEqualTo(LockState.Status.HELD);

            assertThat(logs.warnings()).isEmpty();
        }
    }

    private static Instant inStore(ManualTime storeTime) {
        return storeTime.instant().plus(LEASE);
    }

    @Test
    void renewalRestartsObservation() {
        Lease alive = holder.take("job");
        rival.locks.tryAcquire("job");
        time.pass(Duration.ofSeconds(8));
        alive.renew();
        time.pass(Duration.ofSeconds(3));

        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        assertThat(alive.isHeld()).isTrue();
    }

    @Test
    void rowReleasedMeanwhileIsAcquiredWithOneRequest() {
        Lease first = holder.take("job");
        rival.locks.tryAcquire("job");
        time.pass(LEASE.plusSeconds(1));
        first.release();
        rival.store.forget();

        assertThat(rival.locks.tryAcquire("job")).isPresent();
        assertThat(rival.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    /** As a job by cron does, for which nobody waits. */
    @Test
    void processKnowsForHowLongItHasKeptALock() throws InterruptedException {
        LockRequest job = LockRequest.of("job").minHold(Duration.ofMinutes(1));
        for (Fault release : List.<Fault>of(Supplier::get, Fault.LOSE_RESPONSE)) {
            Lease lease = holder.locks.acquire(job);
            holder.store.next(release);
            lease.close();

            time.pass(Duration.ofMinutes(1));
            assertThat(holder.locks.tryAcquire(job)).isEmpty();
            time.pass(Duration.ofMillis(50));
            Optional<Lease> next = holder.locks.tryAcquire(job);

            assertThat(next).isPresent();
            LeasedWork.endUnused(next.orElseThrow());
        }
    }

    @Test
    void processKnowsForHowLongItKeepsALockByItsLastChange() {
        Lease lease = holder.take("job");
        lease.release(Duration.ofHours(1));
        assertThat(holder.locks.keep("job", lease.id(), Duration.ofMinutes(1))).isTrue();

        time.pass(Duration.ofMinutes(1));
        assertThat(holder.locks.tryAcquire("job")).isEmpty();
        time.pass(Duration.ofMillis(50));

        assertThat(holder.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void rivalOnAnotherClockObserves() {
        Node system = holder.rival(time, Node.settings(LEASE, LeaseTime.SYSTEM));
        holder.take("job");
        system.locks.tryAcquire("job");

        time.pass(LEASE.minusMillis(1));
        Optional<Lease> early = system.locks.tryAcquire("job");
        time.pass(Duration.ofMillis(50));
        Optional<Lease> taken = system.locks.tryAcquire("job");

        assertThat(early).isEmpty();
        assertThat(taken).isPresent();
    }

    @Test
    void waiterTakesOverWithinTwoLeases() {
        holder.take("job");
        var waiting = rival.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

        rival.pass(LEASE.plusMillis(250));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }
}
