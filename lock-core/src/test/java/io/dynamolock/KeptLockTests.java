/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks that stay taken for a time after their release. */
class KeptLockTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final Duration SKEW = Duration.ofMillis(1_001);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void staysTakenWithoutHolderForGivenTime() {
        Lease lease = node.take("job");
        node.store.forget();

        ReleaseOutcome outcome = lease.release(TEN_SECONDS);

        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        node.scheduler.freeze(TEN_SECONDS);
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(SKEW);
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void revokingKeptLockDoesNotChangeItsTime() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        LockState kept = node.locks.inspect("job");

        assertThat(rival.locks.revoke("job", lease.id())).isTrue();

        assertThat(node.locks.inspect("job").kept()).isTrue();
        assertThat(node.locks.inspect("job").expiresAt()).isEqualTo(kept.expiresAt());
        assertThat(rival.locks.keep("job", lease.id(), Duration.ZERO)).isTrue();
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void freeingKeptLockByForceNamesNobodyAtWork() {
        node.take("job").release(TEN_SECONDS);

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(rival.locks.forceFree("job")).isPresent();
            assertThat(logs.warnings())
                    .singleElement()
                    .asString()
                    .contains("'job' was freed by force, kept after its release by 'node'; its next");
        }
    }

    @Test
    void zeroFreesLock() {
        node.take("job").release(Duration.ZERO);

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void smallestTimeIsRoundedUp() {
        node.take("job").release(Duration.ofNanos(1));

        assertThat(node.row("job").leaseDuration()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void longerOfMinHoldAndGivenTimeCounts() throws Exception {
        LockRequest atLeastTen = LockRequest.of("job").minHold(TEN_SECONDS);

        node.locks.acquire(atLeastTen).release(Duration.ofSeconds(4));
        Duration kept = node.row("job").leaseDuration();
        node.locks.acquire(atLeastTen.name("other")).release(LEASE);

        assertThat(kept).isEqualTo(TEN_SECONDS);
        assertThat(node.row("other").leaseDuration()).isEqualTo(LEASE);
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks
    void rejectsTimesOutOfRangeAndKeepsLease() {
        Lease lease = node.take("job");

        assertThatNullPointerException().isThrownBy(() -> lease.release(null));
        for (Duration keep : List.of(Duration.ofNanos(-1), FOR_EVER.plusNanos(1))) {
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> lease.release(keep))
                    .withMessageContaining("keep");
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> node.locks.keep("job", lease.id(), keep));
            assertThatExceptionOfType(InvalidSettingException.class)
                    .isThrownBy(() -> LockManager.unlocked().keep("job", lease.id(), keep));
        }
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void repeatedReleaseKeepsLockToo() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lease.release(TEN_SECONDS));
        lease.close();

        assertThat(node.row("job").isFree()).isFalse();
        assertThat(node.locks.inspect("job").kept()).isTrue();
    }

    @Test
    void callAfterReleaseChangesNothing() {
        Lease lease = node.take("job");
        lease.release();
        node.store.forget();

        assertThat(lease.release(TEN_SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void lostLeaseKeepsNothing() {
        Lease lease = node.take("job");
        node.scheduler.freeze(LEASE.plusSeconds(10));

        assertThat(lease.release(TEN_SECONDS)).isEqualTo(ReleaseOutcome.LOST);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void lastHandleKeepsForLongestTimeRequested() throws Exception {
        LockRequest reentrant = LockRequest.of("job").reentrant(true);
        Lease outer = node.locks.acquire(reentrant);
        Lease inner = node.locks.acquire(reentrant);

        inner.release(TEN_SECONDS);
        inner.release(FOR_EVER);
        assertThat(outer.isHeld()).isTrue();
        outer.release(Duration.ofSeconds(1));

        assertThat(node.row("job").leaseDuration()).isEqualTo(TEN_SECONDS);
    }

    @Test
    void severalLocksAreKeptTogether() throws Exception {
        Lease both = node.locks.acquire(LockRequest.ofAll(List.of("a", "b")));

        assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> both.release(Duration.ofNanos(-1)));
        assertThat(both.release(TEN_SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(node.row("a").leaseDuration()).isEqualTo(TEN_SECONDS);
        assertThat(node.row("b").leaseDuration()).isEqualTo(TEN_SECONDS);
    }

    @Test
    void unlockedLeaseIsJustReleased() throws Exception {
        LockManager unlocked = LockManager.unlocked();
        Lease lease = unlocked.acquire("job");

        assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> lease.release(Duration.ofNanos(-1)));
        assertThat(lease.release(TEN_SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(lease.isHeld()).isFalse();
        assertThat(unlocked.keep("job", lease.id(), TEN_SECONDS)).isFalse();
        assertThat(unlocked.acquire("job").isHeld()).isTrue();
    }

    @Test
    void staysTakenForEver() {
        Instant now = node.time.instant();
        node.take("job").release(FOR_EVER);

        assertThat(node.row("job").leaseDuration()).isEqualTo(FOR_EVER);
        assertThat(node.row("job").expiresAt()).isAfterOrEqualTo(now.plus(FOR_EVER));
        assertThat(node.row("job").defects()).isEmpty();
        node.scheduler.freeze(Duration.ofDays(20_000));
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        assertThat(rival.locks.inspect("job").status()).isEqualTo(LockState.Status.HELD);
    }

    @Test
    void observersWaitForWholeTime() {
        LockSettings observed = Node.settings(LEASE, LeaseTime.OBSERVED);
        Node holder = Node.on(node.time, new InMemoryLockStore(), observed);
        Node observer = holder.rival(node.time, observed);
        holder.take("job").release(Duration.ofDays(400));

        assertThat(observer.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofDays(400));
        assertThat(observer.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofDays(1));
        assertThat(observer.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void isNotReportedAsCorrupt() {
        node.take("job").release(FOR_EVER);

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
            assertThat(rival.locks.inspect("job").kept()).isTrue();
            assertThat(logs.warnings()).isEmpty();
        }
    }

    @Test
    void stateShowsHolderAndEnd() throws Exception {
        Lease lease = node.locks.acquire(LockRequest.of("job").metadata(Map.of("a", "b")));
        assertThat(node.locks.inspect("job").kept()).isFalse();
        lease.release(TEN_SECONDS);

        LockState state = rival.locks.inspect("job");

        assertThat(state.kept()).isTrue();
        assertThat(state.status()).isEqualTo(LockState.Status.HELD);
        assertThat(state.leaseId()).isEqualTo(lease.id());
        assertThat(state.owner()).isEqualTo("node");
        assertThat(state.metadata()).containsEntry("a", "b");
        assertThat(state).asString().contains("kept=true").doesNotContain(lease.id());
    }

    @Test
    void anyProcessCanChangeTimeWithReadAndWrite() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);

        assertThat(rival.locks.keep("job", lease.id(), LEASE)).isTrue();

        assertThat(rival.store.operations()).containsExactly(Operation.READ, Operation.RELEASE);
        assertThat(node.row("job").leaseDuration()).isEqualTo(LEASE);
        assertThat(node.row("job").lastHold()).isNotNull();
        assertThat(rival.locks.keep("job", lease.id(), Duration.ofSeconds(1))).isTrue();
        assertThat(node.row("job").leaseDuration()).isEqualTo(Duration.ofSeconds(1));
        assertThat(rival.locks.keep("job", lease.id(), Duration.ZERO)).isTrue();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(rival.locks.keep("job", lease.id(), LEASE)).isFalse();
    }

    @Test
    void changedTimeCountsForThoseWhoObservedTheFirst() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofSeconds(8));

        assertThat(node.locks.keep("job", lease.id(), TEN_SECONDS)).isTrue();

        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofSeconds(9));
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        assertThat(rival.locks.inspect("job").status()).isEqualTo(LockState.Status.HELD);
        node.scheduler.freeze(SKEW.plusSeconds(1));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void changeBetweenReadAndTakeoverPreventsIt() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(TEN_SECONDS.plus(SKEW));
        rival.store.next(Fault.first(() -> node.locks.keep("job", lease.id(), TEN_SECONDS)));

        assertThat(rival.locks.tryAcquire("job")).isEmpty();
    }

    @Test
    void lateCopyOfAnEarlierChangeIsNotApplied() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        rival.store.next(Fault.first(() -> {}), Fault.first(() -> node.locks.keep("job", lease.id(), LEASE)));

        assertThat(rival.locks.keep("job", lease.id(), Duration.ofSeconds(1))).isTrue();

        assertThat(node.row("job").leaseDuration()).isEqualTo(LEASE);
    }

    @Test
    void lateCopyOfAnEarlierEndFreesNothing() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        rival.store.next(Fault.first(() -> {}), Fault.first(() -> node.locks.keep("job", lease.id(), LEASE)));

        assertThat(rival.locks.keep("job", lease.id(), Duration.ZERO)).isTrue();

        assertThat(node.row("job").leaseDuration()).isEqualTo(LEASE);
        assertThat(node.row("job").isKept()).isTrue();
    }

    @Test
    void releaseRepeatedAfterLostResponseSetsItsOwnTime() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lease.release(TEN_SECONDS));
        node.scheduler.freeze(Duration.ofSeconds(5));

        assertThat(lease.release(TEN_SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);

        node.scheduler.freeze(TEN_SECONDS);
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
    }

    @Test
    void timeOfLockWithHolderCannotBeChanged() {
        Lease lease = node.take("job");

        assertThat(rival.locks.keep("job", lease.id(), LEASE)).isFalse();
        assertThat(rival.locks.keep("nothing", lease.id(), LEASE)).isFalse();
        lease.release(LEASE);
        assertThat(rival.locks.keep("job", "another", LEASE)).isFalse();
        assertThat(node.row("job").leaseDuration()).isEqualTo(LEASE);
    }

    @Test
    void unansweredChangeIsRecognized() {
        Lease lease = node.take("job");
        lease.release(TEN_SECONDS);
        rival.store.next(Fault.first(() -> {}), Fault.LOSE_RESPONSE);

        assertThat(rival.locks.keep("job", lease.id(), LEASE)).isTrue();

        assertThat(node.row("job").leaseDuration()).isEqualTo(LEASE);
        rival.store.next(Fault.first(() -> {}), Fault.LOSE_RESPONSE);
        assertThat(rival.locks.keep("job", lease.id(), Duration.ZERO)).isTrue();
    }

    @Test
    void freedLockIsHandedOff() {
        Lease lease = node.take("job");
        lease.release(LEASE);
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));
        assertThat(waiting).isNotDone();

        assertThat(node.locks.keep("job", lease.id(), Duration.ZERO)).isTrue();

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }
}
