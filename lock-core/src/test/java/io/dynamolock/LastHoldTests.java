/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a row keeps about the hold that ended last. */
class LastHoldTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest JOB = LockRequest.of("job");

    private final Node node = Node.alone();

    @Test
    void neverReleasedLockHasNone() {
        assertThat(lastHold()).isNull();
        node.take("job");

        assertThat(lastHold()).isNull();
    }

    @Test
    void releaseRecordsOwnerTimeAndDuration() throws Exception {
        Instant end = node.time.instant().plus(Duration.ofSeconds(5));
        node.locks.tryRun(JOB, () -> node.pass(Duration.ofSeconds(5)));

        assertThat(lastHold()).isEqualTo(new LastHold("node", end, Duration.ofSeconds(5), false));
    }

    @Test
    void costsNoRequest() {
        Lease lease = node.take("job");
        node.store.forget();

        lease.close();

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void isShownWhileNextHolderWorks() {
        node.take("job").close();
        Lease next = node.rival().take("job");

        assertThat(known().owner()).isEqualTo("node");
        next.close();
        assertThat(known().owner()).isEqualTo("rival");
    }

    @Test
    void failedWorkIsRecorded() {
        assertThatThrownBy(() -> node.locks.call(JOB, () -> {
                    throw new IOException("broken pipe");
                }))
                .isInstanceOf(IOException.class);
        assertThat(known().failed()).isTrue();

        assertThat(node.locks.tryAcquire("job").map(Lease::release)).contains(ReleaseOutcome.RELEASED);
        assertThat(known().failed()).isFalse();
    }

    @Test
    void holderMarksFailureItself() {
        try (Lease lease = node.take("job")) {
            lease.markFailed();
        }

        assertThat(known().failed()).isTrue();
    }

    @Test
    void asynchronousFailureIsRecorded() {
        var unused = LeasedWork.endAsync(node.take("job"), new IOException("broken pipe"));
        node.pass(Duration.ofMillis(1));

        assertThat(known().failed()).isTrue();
    }

    @Test
    void leaseWhoseWorkNeverBeganLeavesNoTrace() throws InterruptedException {
        Lease lease = node.locks.tryAcquire(JOB.name("unused").minHold(LEASE)).orElseThrow();

        CompletableFuture<Void> ended = LeasedWork.endUnusedAsync(lease).toCompletableFuture();
        node.pass(Duration.ofMillis(1));

        assertThat(ended).isCompleted();
        assertThat(node.locks.inspect("unused").status()).isEqualTo(LockState.Status.FREE);
        assertThat(node.locks.inspect("unused")).extracting(LockState::lastHold).isNull();
    }

    @Test
    void reentrantLeaseWhoseWorkNeverBeganLeavesNoTrace() throws InterruptedException {
        LockRequest unused = JOB.reentrant(true).minHold(LEASE);

        LeasedWork.endUnused(node.locks.acquire(unused));
        assertThat(node.locks.inspect("job").status()).isEqualTo(LockState.Status.FREE);
        assertThat(lastHold()).isNull();

        CompletionStage<Void> ended = LeasedWork.endUnusedAsync(node.locks.acquire(unused));
        node.pass(Duration.ofMillis(1));
        assertThat(ended.toCompletableFuture()).isCompleted();
        assertThat(node.locks.inspect("job").status()).isEqualTo(LockState.Status.FREE);
        assertThat(lastHold()).isNull();
    }

    @Test
    void workOfOuterHandleLeavesTraceOfLeaseWhoseInnerHandleIsUnused() throws InterruptedException {
        LockRequest again = JOB.reentrant(true).minHold(LEASE);
        try (Lease outer = node.locks.acquire(again)) {
            LeasedWork.endUnused(node.locks.acquire(again));
            assertThat(outer.isHeld()).isTrue();
        }
        assertThat(node.locks.inspect("job").kept()).isTrue();
        assertThat(lastHold()).isNotNull();

        LockRequest other = again.name("other");
        Lease inner;
        try (Lease outer = node.locks.acquire(other)) {
            inner = node.locks.acquire(other);
            assertThat(outer.isHeld()).isTrue();
        }
        LeasedWork.endUnused(inner);
        assertThat(node.locks.inspect("other").kept()).isTrue();
    }

    @Test
    void workUnderLostLeaseHasFailed() throws Exception {
        assertThatThrownBy(() -> node.locks.tryRun(JOB, () -> node.scheduler.freeze(LEASE.multipliedBy(2))))
                .isInstanceOf(LeaseLostException.class);
        assertThat(known().failed()).isTrue();

        node.locks.tryRun(JOB.name("quiet").onLost(OnLost.EVENT), () -> node.scheduler.freeze(LEASE.multipliedBy(2)));
        assertThat(node.locks.inspect("quiet").lastHold())
                .isNotNull()
                .extracting(LastHold::failed)
                .isEqualTo(true);
    }

    @Test
    void outerWorkDecidesForNestedWork() throws Exception {
        LockRequest again = JOB.reentrant(true);

        node.locks.call(again, () -> {
            assertThatThrownBy(() -> node.locks.call(again, () -> {
                        throw new IOException("caught");
                    }))
                    .isInstanceOf(IOException.class);
            return "result";
        });
        assertThat(known().failed()).isFalse();

        try (Lease outer = node.locks.acquire(again);
                Lease inner = node.locks.acquire(again)) {
            inner.markFailed();
            outer.markFailed();
        }
        assertThat(known().failed()).isTrue();
    }

    @Test
    void minHoldRecordsIt() throws Exception {
        try (Lease lease = node.locks.acquire(JOB.minHold(LEASE))) {
            lease.markFailed();
        }

        assertThat(node.locks.inspect("job").status()).isEqualTo(LockState.Status.HELD);
        assertThat(known().failed()).isTrue();
    }

    @Test
    void undoneAcquisitionIsNoHold() throws Exception {
        node.take("job").close();
        LastHold before = known();
        node.pass(Duration.ofSeconds(1));
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(() -> node.locks.acquire(JOB)).isInstanceOf(LockStoreException.class);
        node.pass(Duration.ofSeconds(1));

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(known()).isEqualTo(before);
    }

    @Test
    void forcedReleaseIsNoHold() {
        node.take("job").close();
        LastHold before = known();
        Lease lease = node.take("job");

        node.rival().locks.forceRelease("job", lease.id());
        assertThat(known()).isEqualTo(before);
        node.take("job");
        assertThat(node.rival().locks.forceFree("job")).isPresent();

        assertThat(known()).isEqualTo(before);
    }

    @Test
    void ownerIsEscapedForDisplay() {
        assertThat(new LastHold("a\nb", Instant.EPOCH, null, false).owner()).doesNotContain("\n");
    }

    private LastHold known() {
        return Objects.requireNonNull(lastHold());
    }

    private @Nullable LastHold lastHold() {
        return node.locks.inspect("job").lastHold();
    }
}
