/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Explicit renewals by a holder: durations, limits and interrupts. */
class RenewalTests {

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Node node = Node.alone(Node.settingsWith(
            builder -> builder.settings(Node.settings(Duration.ofSeconds(30))).maxLeaseDuration(LONGEST)));

    @Test
    void endCountsFromBeforeFirstAttempt() {
        Lease lease = node.take("job");
        node.store.next(request -> {
            node.time.pass(Duration.ofSeconds(2));
            throw new LockStoreException("job", "no response", null, true, true);
        });

        lease.renew();

        assertThat(lease.remaining())
                .isEqualTo(Times.heldFor(Duration.ofSeconds(30)).minusSeconds(2));
    }

    @Test
    void pauseWhileRenewalIsPreparedNeverExceedsMaxHold() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(40)));
        Instant latestEnd = node.time.instant().plusSeconds(40);
        node.pass(Duration.ofSeconds(15));

        node.time.pauseBeforeReadings(Duration.ofSeconds(1));
        lease.renew();
        node.time.pauseBeforeReadings(Duration.ZERO);

        assertThat(node.time.instant().plus(lease.remaining())).isBeforeOrEqualTo(latestEnd);
    }

    @Test
    void rejectsDurationAboveMaximum() {
        Lease lease = node.take("job");
        node.store.forget();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.renew(LONGEST.plusMillis(1)))
                .withMessageContaining("maxLeaseDuration")
                .withMessageContaining("job");

        assertThat(node.store.operations()).isEmpty();
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(30)));
        lease.renew(LONGEST);
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(LONGEST));
    }

    @Test
    void failedRenewalThrowsAndLeaseStaysHeld() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::renew).isInstanceOf(LockStoreException.class);

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void queuedRenewalIsNotSentAfterRelease() throws Exception {
        Node narrow = Node.alone(Node.settingsWith(builder -> builder.settings(Node.settings(Duration.ofSeconds(30)))
                .maxConcurrentRequests(1)
                .attemptTimeout(Duration.ofMillis(50))));
        Lease lease = narrow.take("job");
        narrow.store.forget();
        CountDownLatch free = new CountDownLatch(1);
        narrow.store.next(Fault.first(() -> Latches.await(free)));
        Thread reader = started(() -> narrow.locks.inspect("other"));
        Thread renewer = started(lease::renew);
        Thread releaser = started(lease::release);

        free.countDown();
        for (Thread thread : List.of(reader, renewer, releaser)) {
            thread.join(TestRun.TIMEOUT.toMillis());
        }

        assertThat(narrow.store.operations()).containsExactly(Operation.READ, Operation.RELEASE);
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    }

    /** Starts a thread and returns it once it waits. */
    private static Thread started(Runnable request) {
        Thread thread = new Thread(() -> {
            try {
                request.run();
            } catch (IllegalStateException released) {
                assertThat(released).hasMessageContaining("RELEASED");
            }
        });
        thread.start();
        await().until(() ->
                Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(thread.getState()));
        return thread;
    }

    @Test
    void renewsOnInterruptedThreadAndKeepsItsFlag() {
        Lease lease = node.take("job");
        node.pass(Duration.ofSeconds(5));
        boolean[] flag = {true};
        node.store.next(Fault.first(() -> flag[0] = Thread.currentThread().isInterrupted()));
        Thread.currentThread().interrupt();

        lease.renew();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(flag[0]).isFalse();
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(30)));
    }

    @Test
    void defaultsToDurationOfAcquire() {
        Lease lease = node.take("job");

        lease.renew(Duration.ofSeconds(5));
        lease.renew();

        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(30)));
    }

    @Test
    void heartbeatUsesDurationOfLastManualRenewal() {
        Lease lease = node.take("job");

        lease.renew(LONGEST);
        node.pass(Duration.ofMinutes(5));
        Duration longer = lease.remaining();
        lease.renew();
        node.pass(Duration.ofMinutes(5));

        assertThat(longer).isBetween(Duration.ofSeconds(40), LONGEST);
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    }

    @Test
    void extensionThatFailsDuringHeartbeatCostsNoLease() {
        Node unlimited = Node.alone();
        Lease lease = unlimited.take("job");
        Duration longer = Duration.ofHours(4);
        Fault meanwhile =
                Fault.first(() -> assertThatThrownBy(() -> lease.renew(longer)).isInstanceOf(LockStoreException.class));
        unlimited.store.next(meanwhile, Fault.THROTTLE, Fault.THROTTLE, Fault.THROTTLE);

        unlimited.pass(Duration.ofMinutes(1));

        assertThat(unlimited.events.losses).isEmpty();
        assertThat(lease.remaining()).isGreaterThan(longer.minusMinutes(1));
    }

    @Test
    void detachedLeaseKeepsLastDuration() {
        Lease lease = node.take("job");
        lease.renew(Duration.ofSeconds(5));

        LeaseToken token = lease.detach();

        assertThat(node.locks.resume(token).remaining()).isBetween(Duration.ofMillis(4_900), Duration.ofSeconds(5));
    }
}
