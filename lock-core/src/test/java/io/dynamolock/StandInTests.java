/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters that poll in place of the first of their queue, or are overtaken in it. */
class StandInTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();
    private final Lease held = rival.take("job");
    private final AtomicInteger wakes = new AtomicInteger();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch overtaking = new CountDownLatch(1);
    private final CompletableFuture<Acquisition> overtaken = new CompletableFuture<>();

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

        finish(second);

        assertThat(second.result()).isNotNull();
        assertThat(Duration.ofNanos(node.time.nanos() - freeSince)).isLessThan(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failedWriteIsRepeatedByStandInThatBecomesFirst(boolean throttled) {
        Acquisition first = waiting(null, Duration.ofMinutes(1));
        Acquisition second = waiting(Thread.currentThread(), Duration.ofMinutes(10));
        held.release();
        node.store.forget();
        node.store.next(Fault.then(() -> {}), request -> {
            first.abandon();
            return (throttled ? Fault.THROTTLE : Fault.LOSE_RESPONSE).strike(request);
        });

        finish(second);

        assertThat(node.store.operations()).containsExactly(Operation.READ, Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(second.result()).isNotNull();
    }

    /** The lock is busy for the first waiter until then, and would be so for this one at the end of its wait. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateLeaseIsReplacedBehindFirstWaiter(boolean throttled) {
        Duration lease = Duration.ofSeconds(2);
        LockRequest request = LockRequest.of("job").leaseDuration(lease).waitTime(Duration.ofMinutes(1));
        held.release();

        Acquisition first = overtake(request, sent -> {
            Response response = sent.get();
            awaitOvertaking();
            node.time.pass(lease);
            if (throttled) {
                node.store.next(Fault.THROTTLE);
            }
            return response;
        });

        assertThat(overtaken).succeedsWithin(TestRun.TIMEOUT).matches(second -> second.result() != null);
        assertThat(first.isDone()).isFalse();
    }

    /** What failed before does not count against the polls of a waiter whose turn comes much later. */
    @Test
    void failureBeforeLossOfTurnIsForgotten() {
        Acquisition first = overtakeThrottled();
        Acquisition second = overtaken.join();
        node.time.pass(Duration.ofSeconds(30));

        first.abandon();
        held.release();
        node.store.next(Fault.THROTTLE);
        finish(second);

        assertThat(second.result()).isNotNull();
    }

    @Test
    void handOffTakenByOvertakenWaiterPassesToFirst() {
        Acquisition first = overtakeThrottled();
        held.release();

        first.advance();

        assertThat(first.result()).isNotNull();
    }

    /** A lock with a claim that is over is busy for nobody, and a write that may arrive late must not stay unknown. */
    @Test
    void unansweredWriteGoesOnBehindFirstWaiterAfterWaitTime() {
        LockRequest brief = LockRequest.of("job").waitTime(Duration.ofMillis(1_500));
        node.store.next(rejected -> {
            Response response = rejected.get();
            Acquisition second = waiting(Thread.currentThread(), brief);
            passUntil(second.wakeNanos());
            second.advance();
            TurnClaim claim = TurnClaim.of(node.row("job").highestToken() - 1, Duration.ofMillis(1_200), "dead");
            var unused = node.store.rows().claim(new LockWrite.Claim("job", claim), Duration.ofSeconds(1));
            held.release();
            node.locks.hint("job");
            beginInBackground(second, sent -> {
                awaitOvertaking();
                node.time.pass(Duration.ofSeconds(2));
                throw new LockStoreException("job", "no response", null, true, true);
            });
            return response;
        });

        Acquisition first = waiting(null, Duration.ofMinutes(1));
        overtaking.countDown();

        assertThat(overtaken).succeedsWithin(TestRun.TIMEOUT).matches(second -> second.result() != null);
        assertThat(first.isDone()).isFalse();
    }

    /**
     * Returns a caller whose slow first attempt overtakes the waiter that came meanwhile, before the write of that one
     * gets the given response.
     */
    private Acquisition overtake(LockRequest request, Fault response) {
        node.store.next(Fault.first(() -> {
            Acquisition second = waiting(Thread.currentThread(), request);
            node.locks.hint("job");
            beginInBackground(second, response);
        }));
        Acquisition first = waiting(null, request);
        overtaking.countDown();
        return first;
    }

    /** Overtakes a waiter whose write is throttled. */
    private Acquisition overtakeThrottled() {
        Acquisition first = overtake(LockRequest.of("job").waitTime(Duration.ofMinutes(1)), sent -> {
            awaitOvertaking();
            return Fault.THROTTLE.strike(sent);
        });
        assertThat(overtaken).succeedsWithin(TestRun.TIMEOUT);
        return first;
    }

    /** Advances a waiter on another thread; returns when its write waits to be overtaken. */
    private void beginInBackground(Acquisition waiter, Fault response) {
        node.store.next(response);
        overtaken.completeAsync(() -> {
            waiter.advance();
            return waiter;
        });
        Latches.await(arrived);
    }

    private void awaitOvertaking() {
        arrived.countDown();
        Latches.await(overtaking);
    }

    private void finish(Acquisition waiter) {
        for (int steps = 0; steps < 100 && !waiter.isDone(); steps++) {
            passUntil(waiter.wakeNanos());
            waiter.advance();
        }
    }

    @Test
    void deniedRequestOfOneCallerMakesNoOtherAttempt() {
        Acquisition first = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        var unused = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        Acquisition third = waiting(Thread.currentThread(), Duration.ofMinutes(1));
        node.store.next(Fault.DENY);
        passUntil(first.wakeNanos());
        first.advance();
        assertThat(first.hasFailed()).isTrue();
        node.store.forget();

        third.advance();

        assertThat(node.store.operations()).isEmpty();
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
