/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The final read at the end of a wait, and the holder it reports. */
class FinalPollTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();
    private final LockRequest tenSeconds = LockRequest.of("job").waitTime(Duration.ofSeconds(10));

    /** Returns a wait that ends in 10 ms. */
    private CompletableFuture<Optional<Lease>> waitAlmostToTheEnd() {
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(tenSeconds);
        node.pass(Duration.ofMillis(9_990));
        return waiting;
    }

    private static void assertBusy(CompletableFuture<Lease> waiting, Lease held) {
        assertThat(catchThrowableOfType(CompletionException.class, waiting::join))
                .cause()
                .isInstanceOfSatisfying(
                        LockBusyException.class,
                        busy -> assertThat(busy.holder().leaseId()).isEqualTo(held.id()));
    }

    @Test
    void lockFreedSinceLastReadIsAcquired() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitAlmostToTheEnd();

        held.release();
        node.store.forget();
        node.pass(Duration.ofMillis(20));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE);
    }

    @Test
    void busyLockCostsOneFinalRead() {
        rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitAlmostToTheEnd();

        node.store.forget();
        node.pass(Duration.ofMillis(20));

        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(node.store.operations()).hasSizeLessThanOrEqualTo(2).containsOnly(Operation.READ);
    }

    @Test
    void failedFinalReadDoesNotHideHolder() {
        Lease held = rival.take("job");
        CompletableFuture<Lease> waiting = node.locks.acquireAsync(tenSeconds);
        node.pass(Duration.ofMillis(9_990));

        node.store.always(Fault.THROTTLE);
        node.pass(Duration.ofMillis(20));

        assertBusy(waiting, held);
    }

    /** A slow read before the end leaves too little time for the final one. */
    @Test
    void finalReadWithoutTimeDoesNotHideHolder() {
        Duration call = Duration.ofSeconds(2);
        Node brief = Node.alone(Node.settingsWith(
                with -> with.time(LeaseTime.SYSTEM).attemptTimeout(call).callTimeout(call)));
        Lease held = brief.rival().take("job");
        CompletableFuture<Lease> waiting = brief.locks.acquireAsync(tenSeconds);
        long ends = brief.time.nanos()
                + Duration.ofSeconds(10).plus(call).minusMillis(5).toNanos();
        brief.pass(Duration.ofSeconds(8));
        brief.store.next(
                Fault.then(() -> brief.time.pass(Duration.ofNanos(ends - brief.time.nanos()))), Fault.LOSE_REQUEST);

        brief.pass(Duration.ofSeconds(10));

        assertBusy(waiting, held);
    }

    @Test
    void permanentFailureOfFinalReadIsReported() {
        rival.take("job");
        CompletableFuture<Lease> waiting = node.locks.acquireAsync(tenSeconds);
        node.pass(Duration.ofMillis(9_990));

        node.store.always(Fault.DENY);
        node.pass(Duration.ofSeconds(1));

        assertThat(catchThrowableOfType(CompletionException.class, waiting::join))
                .hasCauseInstanceOf(LockStoreException.class);
        assertThat(node.events.all).containsExactly("failed job");
    }

    /** It would prolong the wait, or reserve a turn that nobody takes. */
    @ParameterizedTest(name = "a response {0} s after the start")
    @ValueSource(doubles = {9.5, 12})
    void noTurnIsClaimedAtTheEnd(double response) {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(tenSeconds);
        long responseNanos = node.time.nanos() + (long) (response * 1e9);
        node.pass(Duration.ofSeconds(8));
        held.release();
        rival.take("job");
        node.store.forget();

        node.store.next(Fault.then(() -> node.time.pass(Duration.ofNanos(responseNanos - node.time.nanos()))));
        node.pass(Duration.ofSeconds(10));

        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(node.store.operations()).isNotEmpty().containsOnly(Operation.READ);
    }

    @Test
    void persistentStoreFailureIsReportedAsFailure() {
        rival.take("job");
        CompletableFuture<Lease> waiting = node.locks.acquireAsync(tenSeconds);
        node.pass(Duration.ofSeconds(4));

        node.store.always(Fault.THROTTLE);
        node.pass(Duration.ofSeconds(10));

        CompletionException failed = catchThrowableOfType(CompletionException.class, waiting::join);
        assertThat(failed).hasCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void finalUnansweredWriteIsRetried() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitAlmostToTheEnd();

        held.release();
        node.store.next(request -> request.get(), Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);
        node.store.forget();
        node.pass(Duration.ofMillis(20));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.store.operations())
                .containsExactly(Operation.READ, Operation.ACQUIRE, Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void finalThrottledWriteIsRetried() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = waitAlmostToTheEnd();

        held.release();
        node.store.next(request -> request.get(), Fault.THROTTLE);
        node.pass(Duration.ofMillis(20));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void earlierObservationsOfOthersDoNotMakeACallBusy() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> before = node.locks.tryAcquireAsync(tenSeconds);
        node.pass(Duration.ofSeconds(4));
        held.release();
        LockRequest shortWait = LockRequest.of("job").waitTime(Duration.ofMillis(400));
        CompletableFuture<Optional<Lease>> call = node.locks.tryAcquireAsync(shortWait);

        node.store.next(request -> {
            node.time.pass(Duration.ofMillis(500));
            return Fault.LOSE_REQUEST.strike(request);
        });
        before.cancel(true);
        node.pass(Duration.ofMillis(600));

        assertThat(call).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void allQueuedWaitersKnowTheHolder() {
        Lease held = rival.take("job");
        LockRequest second = LockRequest.of("job").waitTime(Duration.ofSeconds(1));
        List<CompletableFuture<Lease>> all = IntStream.range(0, 8)
                .mapToObj(i -> node.locks.acquireAsync(second))
                .toList();

        node.pass(Duration.ofSeconds(2));

        assertThat(all)
                .allSatisfy(one -> assertThat(catchThrowableOfType(CompletionException.class, one::join))
                        .cause()
                        .isInstanceOfSatisfying(LockBusyException.class, busy -> {
                            assertThat(busy.holder().leaseId()).isEqualTo(held.id());
                            assertThat(busy.holder().status()).isEqualTo(LockState.Status.HELD);
                        }));
        assertThat(node.events.busy).hasSize(8).extracting(LockState::leaseId).containsOnly(held.id());
    }
}
