/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiters with their own threads behind a waiter without one. */
class StandInTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();
    private final Lease held = rival.take("job");
    private final AtomicInteger wakes = new AtomicInteger();

    private Acquisition waiting(@Nullable Thread holder, Duration time) {
        return waiting(holder, LockRequest.of("job").waitTime(time));
    }

    private Acquisition waiting(@Nullable Thread holder, LockRequest request) {
        Acquisition waiting = new Acquisition(node.acquire, request, holder, wakes::incrementAndGet);
        waiting.advance();
        return waiting;
    }

    private void passUntil(long nanos) {
        node.time.pass(Duration.ofNanos(Math.max(1, nanos - node.time.nanos())));
    }

    @Test
    void nextWaiterPollsIfHeadHasNoThread() {
        var unused = waiting(null, Duration.ofMinutes(1));
        Acquisition second = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        held.release();
        long freeSince = node.time.nanos();

        for (int steps = 0; steps < 100 && !second.isDone(); steps++) {
            passUntil(second.wakeNanos());
            second.advance();
        }

        assertThat(second.result()).isNotNull();
        assertThat(Duration.ofNanos(node.time.nanos() - freeSince)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void unansweredWriteIsRepeatedByStandInThatBecomesFirst() {
        Acquisition first = waiting(null, Duration.ofMinutes(1));
        Acquisition second = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        held.release();
        node.store.forget();
        node.store.next(Fault.then(() -> {}), request -> {
            first.abandon();
            return Fault.LOSE_RESPONSE.strike(request);
        });

        for (int steps = 0; steps < 100 && !second.isDone(); steps++) {
            passUntil(second.wakeNanos());
            second.advance();
        }

        assertThat(node.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(second.result()).isNotNull();
    }

    /** The lock is busy for the first waiter until then, and would be so for this one at the end of its wait. */
    @Test
    void lateLeaseIsReplacedBehindFirstWaiter() {
        Duration lease = Duration.ofSeconds(2);
        LockRequest request = LockRequest.of("job").leaseDuration(lease).waitTime(Duration.ofMinutes(1));
        held.release();
        CountDownLatch acquired = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);
        CompletableFuture<Acquisition> late = new CompletableFuture<>();
        node.store.next(Fault.first(() -> {
            Acquisition second = waiting(Thread.currentThread(), request);
            passUntil(second.wakeNanos());
            node.store.next(Fault.then(acquired::countDown)
                    .andThen(() -> Latches.await(overtaken))
                    .andThen(() -> node.time.pass(lease)));
            late.completeAsync(() -> {
                second.advance();
                return second;
            });
            Latches.await(acquired);
        }));

        Acquisition first = waiting(null, request);
        overtaken.countDown();

        assertThat(late).succeedsWithin(TestRun.TIMEOUT).matches(second -> second.result() != null);
        assertThat(first.isDone()).isFalse();
    }

    @Test
    void oneWaiterPollsForAll() {
        var unused = waiting(null, Duration.ofMinutes(1));
        Acquisition second = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        Acquisition third = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        node.store.forget();

        passUntil(second.wakeNanos());
        second.advance();
        third.advance();

        assertThat(node.store.operations()).containsExactly(Operation.READ);
    }

    @Test
    void cancelledWaiterLeavesQueueWithoutThread() {
        CompletableFuture<Optional<Lease>> first =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));
        Acquisition second = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        node.scheduler.keepWorkWaiting();

        first.cancel(true);

        assertThat(wakes).hasValue(1);
        second.abandon();
        second.advance();
    }
}
