/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LocalWaitQueues.FirstAttempt;
import io.dynamolock.LocalWaitQueues.Waiter;
import io.dynamolock.time.Parker;
import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LocalWaitQueuesTests {

    private final LocalWaitQueues queues = new LocalWaitQueues();
    private final List<String> woken = new ArrayList<>();

    private Waiter join(String name, String who) {
        return queues.join(name, () -> woken.add(who));
    }

    private FirstAttempt attempt() {
        return Objects.requireNonNull(queues.beginFirstAttempt("job"));
    }

    @Test
    void onlyHeadOfQueueIsFirst() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");

        assertThat(first.isFirst()).isTrue();
        assertThat(second.isFirst()).isFalse();
    }

    @Test
    void servesWaitersInFifoOrder() {
        List<Waiter> waiters = new ArrayList<>();
        for (String who : List.of("a", "b", "c", "d")) {
            waiters.add(join("job", who));
        }

        waiters.forEach(waiter -> waiter.leave(false));

        assertThat(woken).containsExactly("b", "c", "d");
    }

    @Test
    void eachNameHasItsOwnQueue() {
        Waiter here = join("here", "here");
        Waiter there = join("there", "there");

        queues.handOff("here");

        assertThat(here.isFirst()).isTrue();
        assertThat(there.isFirst()).isTrue();
        assertThat(woken).containsExactly("here");
        assertThat(there.takeHandOff()).isFalse();
    }

    @Test
    void releaseWakesOnlyHeadAndHandsOverOnce() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");

        queues.handOff("job");

        assertThat(woken).containsExactly("first");
        assertThat(second.takeHandOff()).isFalse();
        assertThat(first.takeHandOff()).isTrue();
        assertThat(first.takeHandOff()).isFalse();
    }

    @Test
    void releaseWithoutWaitersIsForgotten() {
        queues.handOff("job");

        assertThat(join("job", "late").takeHandOff()).isFalse();
        assertThat(woken).isEmpty();
    }

    @Test
    void onlyOneAttemptIsMadeOutsideOfTheQueue() {
        FirstAttempt first = attempt();

        assertThat(queues.beginFirstAttempt("job")).isNull();
        assertThat(queues.beginFirstAttempt("other")).isNotNull();
        first.end(true);
        assertThat(queues.beginFirstAttempt("job")).isNotNull();
    }

    @Test
    void noAttemptIsMadeOutsideOfExistingQueue() {
        Waiter waiter = join("job", "waiter");

        assertThat(queues.beginFirstAttempt("job")).isNull();
        waiter.leave(true);
        assertThat(queues.beginFirstAttempt("job")).isNotNull();
    }

    @Test
    void rejectedAttemptQueuesBeforeThoseThatCameMeanwhile() {
        FirstAttempt attempt = attempt();
        Waiter meanwhile = join("job", "meanwhile");

        Waiter rejected = attempt.join(() -> woken.add("rejected"));

        assertThat(rejected.isFirst()).isTrue();
        assertThat(meanwhile.isFirst()).isFalse();
        assertThat(woken).isEmpty();
    }

    @Test
    void releaseDuringRejectedAttemptIsHandedOver() {
        FirstAttempt attempt = attempt();
        queues.handOff("job");

        Waiter waiter = attempt.join(() -> woken.add("rejected"));

        assertThat(waiter.takeHandOff()).isTrue();
    }

    @Test
    void failedAttemptHandsOverToThoseThatCameMeanwhile() {
        FirstAttempt attempt = attempt();
        Waiter meanwhile = join("job", "meanwhile");

        attempt.end(false);

        assertThat(woken).containsExactly("meanwhile");
        assertThat(meanwhile.takeHandOff()).isTrue();
    }

    @Test
    void rejectedAttemptTakesHandOffOfThoseThatCameMeanwhile() {
        FirstAttempt attempt = attempt();
        Waiter meanwhile = join("job", "meanwhile");
        queues.handOff("job");

        Waiter rejected = attempt.join(() -> woken.add("rejected"));

        assertThat(rejected.takeHandOff()).isTrue();
        assertThat(meanwhile.takeHandOff()).isFalse();
    }

    @Test
    void waiterThatAcquiresEndsHangingAttempt() {
        FirstAttempt hanging = attempt();
        Waiter waiter = join("job", "waiter");

        waiter.leave(true);

        FirstAttempt next = attempt();
        hanging.end(false);
        assertThat(queues.beginFirstAttempt("job")).isNull();
        next.end(true);
    }

    @Test
    void failureOfTheStoreLetsThoseAttemptThatHaveNot() {
        Waiter polling = join("job", "polling");
        Waiter silent = join("job", "silent");
        polling.requestSent(1);

        queues.storeFailed("job", null);

        assertThat(woken).containsExactly("silent");
        assertThat(polling.takeAttempt()).isFalse();
        assertThat(silent.takeAttempt()).isTrue();
        assertThat(silent.takeAttempt()).isFalse();
    }

    @Test
    void failureOfTheStoreLetsThoseAttemptAgainThatGotAResponse() {
        Waiter polling = join("job", "polling");
        polling.requestSent(1);
        polling.observed(TestRows.heldBy("a").build(), 1);

        queues.storeFailed("job", null);

        assertThat(polling.takeAttempt()).isTrue();
    }

    @Test
    void failureAmongResponsesLetsNobodyAttempt() {
        Waiter failed = join("job", "failed");
        Waiter answered = join("job", "answered");
        join("job", "silent");
        failed.requestSent(1);
        answered.requestSent(1);
        answered.observed(TestRows.heldBy("a").build(), 1);

        queues.storeFailed("job", failed);

        assertThat(woken).isEmpty();
    }

    @Test
    void attemptPassedByAnAcquirerIsHandedTheLock() {
        FirstAttempt hanging = attempt();
        join("job", "waiter").leave(true);

        Waiter rejected = hanging.join(() -> woken.add("rejected"));

        assertThat(rejected.takeHandOff()).isTrue();
    }

    @Test
    void handOffOwedByOvertakenWaiterPassesToFirst() {
        FirstAttempt attempt = attempt();
        Waiter overtaken = join("job", "overtaken");
        queues.handOff("job");
        overtaken.takeHandOff();
        Waiter rejected = attempt.join(() -> woken.add("rejected"));

        overtaken.leave(false);

        assertThat(woken).containsExactly("overtaken", "rejected");
        assertThat(rejected.takeHandOff()).isTrue();
    }

    @Test
    void handOffOfEmptiedQueuePassesToAttempt() {
        FirstAttempt attempt = attempt();
        Waiter waiter = join("job", "waiter");
        queues.handOff("job");

        waiter.leave(false);

        assertThat(attempt.join(() -> woken.add("rejected")).takeHandOff()).isTrue();
    }

    @Test
    void freeRowEndsKnowledgeOfTheHolder() {
        Waiter waiter = join("job", "waiter");
        LockRow held = TestRows.heldBy("a").build();
        waiter.observed(held, 1);

        waiter.observed(LockRow.ABSENT, 2);

        assertThat(waiter.wasObservedHeldAfter(0)).isFalse();
        assertThat(waiter.lastHeld()).isEqualTo(held);
    }

    @Test
    void rowReservedByClaimLeavesKnowledgeOfTheHolder() {
        Waiter waiter = join("job", "waiter");
        KnownHolder alone = new KnownHolder();
        waiter.observed(TestRows.heldBy("a").build(), 1);
        alone.observed(TestRows.heldBy("a").build(), null);
        LockRow reserved = LockRow.ABSENT.toBuilder()
                .claim(TurnClaim.of(1, Duration.ofSeconds(1), "b"))
                .build();

        waiter.observed(reserved, 2);
        alone.observed(reserved, null);

        assertThat(waiter.wasObservedHeldAfter(0)).isTrue();
        assertThat(alone.holdsSince(0, null)).isTrue();
        alone.observed(LockRow.ABSENT, null);
        assertThat(alone.holdsSince(0, null)).isFalse();
    }

    @Test
    void releaseInThisJvmEndsKnowledgeOfTheHolder() {
        Waiter waiter = join("job", "waiter");
        KnownHolder known = new KnownHolder();
        LockRow held = TestRows.heldBy("a").build();
        known.requestSent(1, waiter);
        known.observed(held, waiter);
        assertThat(known.holdsSince(0, waiter)).isTrue();

        queues.handOff("job");

        assertThat(known.holdsSince(0, waiter)).isFalse();
        known.observed(held, waiter);
        assertThat(known.holdsSince(0, waiter)).isFalse();
        known.requestSent(2, waiter);
        assertThat(known.holdsSince(0, waiter)).isFalse();
        known.observed(held, waiter);
        assertThat(known.holdsSince(0, waiter)).isTrue();
    }

    @Test
    void attemptEndsOnce() {
        FirstAttempt attempt = attempt();
        attempt.end(true);
        FirstAttempt next = attempt();

        attempt.end(false);

        assertThat(queues.beginFirstAttempt("job")).isNull();
        next.end(true);
    }

    @Test
    void leavingWaiterPassesTurnAndHandOver() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        queues.handOff("job");

        first.leave(false);

        assertThat(woken).containsExactly("first", "second");
        assertThat(second.isFirst()).isTrue();
        assertThat(second.takeHandOff()).isTrue();
    }

    @Test
    void acquiringWaiterPassesNoHandOver() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        queues.handOff("job");
        first.takeHandOff();

        first.leave(true);

        assertThat(second.isFirst()).isTrue();
        assertThat(second.takeHandOff()).isFalse();
    }

    @Test
    void leavingFromMiddleWakesNobody() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        Waiter third = join("job", "third");

        second.leave(false);

        assertThat(woken).isEmpty();
        assertThat(first.isFirst()).isTrue();

        first.leave(false);

        assertThat(woken).containsExactly("third");
        assertThat(third.isFirst()).isTrue();
    }

    @Test
    void leavingTwiceIsHarmless() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        Waiter third = join("job", "third");

        first.leave(false);
        first.leave(false);

        assertThat(woken).containsExactly("second");
        assertThat(second.isFirst()).isTrue();
        assertThat(third.isFirst()).isFalse();
        assertThat(first.isFirst()).isFalse();
    }

    @Test
    void emptyQueueIsRemoved() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");

        first.leave(false);

        assertThat(queues.hasWaiters("job")).isTrue();

        second.leave(false);
        second.leave(false);

        assertThat(queues.hasWaiters("job")).isFalse();
        assertThat(second.isFirst()).isFalse();
        assertThat(queues.hasWaiters("other")).isFalse();
    }

    @Test
    void observedRowIsSharedWithinQueueOnly() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        Waiter elsewhere = join("other", "elsewhere");
        LockRow newest = TestRows.heldBy("b").build();

        first.observed(TestRows.heldBy("a").build(), 1);
        second.observed(newest, 1);

        assertThat(first.lastHeld()).isEqualTo(newest);
        assertThat(second.lastHeld()).isEqualTo(newest);
        assertThat(elsewhere.lastHeld()).isNull();
    }

    @Test
    void observedRowIsForgottenWithQueue() {
        Waiter first = join("job", "first");
        first.observed(TestRows.heldBy("a").build(), 1);

        first.leave(false);

        assertThat(join("job", "next").lastHeld()).isNull();
    }

    @Test
    void wakesWaitersOutsideItsMonitor() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        AtomicBoolean reached = new AtomicBoolean();
        queues.join("job", () -> reached.set(isReachable(other)));

        queues.handOff("job");
        other.shutdown();

        assertThat(other.awaitTermination(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(reached).isTrue();
    }

    private boolean isReachable(ExecutorService other) {
        try {
            return other.submit(() -> queues.hasWaiters("job")).get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception blocked) {
            return false;
        }
    }

    @Test
    void hasOneHeadAndServesEverybodyUnderConcurrency() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        AtomicBoolean occupied = new AtomicBoolean();
        List<String> served = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> all = new ArrayList<>();

        for (int i = 0; i < 200; i++) {
            all.add(threads.submit(() -> waitAndLeave(occupied, served)));
        }
        for (Future<?> one : all) {
            one.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        threads.shutdown();

        assertThat(served).hasSize(200).containsOnly("alone");
        assertThat(queues.hasWaiters("job")).isFalse();
    }

    private void waitAndLeave(AtomicBoolean occupied, List<String> served) {
        Parker pause = new ThreadParker();
        Waiter waiter = queues.join("job", pause::wake);
        try {
            while (!waiter.isFirst()) {
                pause.await(TimeUnit.SECONDS.toNanos(15));
            }
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
        boolean alone = occupied.compareAndSet(false, true);
        served.add(alone ? "alone" : "not alone");
        occupied.set(false);
        waiter.leave(false);
    }

    @Test
    void waiterThatFailsToAcquirePassesHandOverOn() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        queues.handOff("job");
        first.takeHandOff();

        first.leave(false);

        assertThat(second.takeHandOff()).isTrue();
    }

    @Test
    void followersLearnSinceWhenLockWasSeenHeld() {
        Waiter first = join("job", "first");
        Waiter second = join("job", "second");
        first.observed(LockRow.ABSENT, 10);
        boolean byAFreeRow = second.wasObservedHeldAfter(9);

        first.observed(TestRows.heldBy("a").build(), 20);

        assertThat(byAFreeRow).isFalse();
        assertThat(second.wasObservedHeldAfter(19)).isTrue();
        assertThat(second.wasObservedHeldAfter(20)).isFalse();
    }

    @Test
    void lateResponseDoesNotReplaceNewerOne() {
        Waiter first = join("job", "first");
        Waiter standIn = join("job", "stand-in");
        standIn.observed(LockRow.ABSENT, 20);

        first.observed(TestRows.heldBy("a").build(), 10);

        assertThat(standIn.wasObservedHeldAfter(0)).isFalse();
    }
}
