/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A waiter expects the present hold to end after as long as those before it that it has observed. */
class UsualHoldTests {

    private static final Duration HALF_MINUTE = Duration.ofSeconds(30);

    private final Observations observations = new Observations(10, HALF_MINUTE);
    private final Random random = new Random(1);

    @Test
    void endOfUsualHoldIsNoticedSoonForNoMoreReads() {
        Node node = Node.spread(Node.settings(HALF_MINUTE), 1);
        Node rival = node.rival();
        watch(node, rival, HALF_MINUTE);
        List<Duration> late = new ArrayList<>();
        int before = reads(node);
        int rounds = 15;
        for (int round = 0; round < rounds; round++) {
            late.add(watch(node, rival, HALF_MINUTE.plusMillis(random.nextInt(400) - 200)));
        }

        late.sort(Duration::compareTo);

        assertThat(reads(node) - before).isLessThanOrEqualTo(40 * rounds);
        assertThat(late.get(late.size() / 2)).isLessThanOrEqualTo(Duration.ofMillis(250));
        assertThat(late.get(late.size() - 1)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void newProcessExpectsTheHoldBefore() {
        Node holder = Node.spread(Node.settings(HALF_MINUTE), 1);
        List<Duration> late = new ArrayList<>();
        int rounds = 15;
        for (int round = 0; round < rounds; round++) {
            Lease before = holder.take("job");
            holder.pass(HALF_MINUTE);
            before.release();
            Node waiter = Node.spread(holder.time, holder.store.rows(), Node.settings(HALF_MINUTE), round);
            late.add(watch(waiter, holder, HALF_MINUTE.plusMillis(random.nextInt(400) - 200)));
            waiter.locks.close();
        }

        late.sort(Duration::compareTo);

        assertThat(late.get(late.size() / 2)).isLessThanOrEqualTo(Duration.ofMillis(250));
        assertThat(late.get(late.size() - 1)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void holdThatOutlastsTheUsualIsPolledRarelyAgain() {
        Node node = Node.spread(Node.settings(HALF_MINUTE), 1);
        Node rival = node.rival();
        watch(node, rival, HALF_MINUTE);
        int before = reads(node);

        Duration late = watch(node, rival, Duration.ofMinutes(1));

        assertThat(reads(node) - before).as("reads in a minute").isBetween(60, 80);
        assertThat(late).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    /** Lets a process wait for a lock that another one holds; returns how late it acquires it. */
    private static Duration watch(Node node, Node rival, Duration hold) {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(5)));
        pass(node, rival, hold);
        assertThat(waiting).isNotDone();
        held.release();
        Duration late = Duration.ZERO;
        while (!waiting.isDone()) {
            pass(node, rival, Duration.ofMillis(10));
            late = late.plusMillis(10);
        }
        waiting.join().orElseThrow().release();
        return late;
    }

    private static void pass(Node node, Node rival, Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 10) {
            rival.pass(Duration.ZERO);
            node.pass(Duration.ofMillis(10));
        }
    }

    private static int reads(Node node) {
        return (int)
                node.store.operations().stream().filter(Operation.READ::equals).count();
    }

    @Test
    void isLearnedFromOneRow() {
        assertThat(observations.usualHold("job")).isNull();

        observeHold("a", 30_000, 30_000);

        assertThat(observations.usualHold("job")).isEqualTo(HALF_MINUTE);
        assertThat(observations.usualHold("other")).isNull();
    }

    @Test
    void isLearnedFromRowOfTheNextHolder() {
        observations.observed(
                "job",
                released(TestRows.heldBy("b", 1_001), "a", 20_000, 20_000).build(),
                Times.nanos(20_500));

        assertThat(observations.usualHold("job")).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void isKnownAfterOwnAcquisition() {
        observeHold("a", 30_000, 30_000);

        observations.forget("job");

        assertThat(observations.usualHold("job")).isEqualTo(HALF_MINUTE);
    }

    @Test
    void isUnknownAfterHoldsOfDifferentDurations() {
        observeHold("a", 30_000, 30_000);
        observeHold("b", 60_000, 20_000);
        assertThat(observations.usualHold("job")).isNull();

        observeHold("c", 96_000, 26_000);

        assertThat(observations.usualHold("job"))
                .as("differs by less than a quarter")
                .isEqualTo(Duration.ofSeconds(26));
    }

    @Test
    void isNotLearnedFromRowThatDoesNotTellIt() {
        observations.observed(
                "job",
                TestRows.free()
                        .lastHold(new LastHold("owner", Times.instant(20_000), null, false))
                        .build(),
                Times.nanos(20_000));

        assertThat(observations.usualHold("job")).isNull();
    }

    @Test
    void ownHoldIsNotLearned() {
        Node node = Node.spread(Node.settings(HALF_MINUTE), 1);
        Node rival = node.rival();
        for (int round = 0; round < 2; round++) {
            hold(rival, HALF_MINUTE);
            Lease held = rival.take("job");
            assertThat(node.locks.tryAcquire("job")).isEmpty();
            held.release();
            hold(node, Duration.ofSeconds(2));
        }
        rival.take("job");
        assertThat(node.locks.tryAcquire("job")).isEmpty();

        assertThat(node.context.observations.usualHold("job")).isEqualTo(HALF_MINUTE);
    }

    private static void hold(Node holder, Duration time) {
        Lease lease = holder.take("job");
        holder.pass(time);
        lease.release();
    }

    @Test
    void shortHoldIsNotLearned() {
        observeHold("a", 30_000, 30_000);

        observeHold("found-nothing-to-do", 40_000, 999);

        assertThat(observations.usualHold("job")).isEqualTo(HALF_MINUTE);
    }

    @Test
    void secondShortHoldEndsTheExpectation() {
        observeHold("a", 30_000, 30_000);
        observeHold("b", 40_000, 900);
        observeHold("b", 40_000, 900); // again
        assertThat(observations.usualHold("job")).isEqualTo(HALF_MINUTE);

        observeHold("c", 50_000, 900);

        assertThat(observations.usualHold("job")).isNull();
    }

    @Test
    void rowThatIsReadBeforeOwnReleaseTellsNothingNew() {
        observeHold("a", 30_000, 30_000);
        observeHold("b", 60_000, 20_000);
        observations.released("job", own(70_000));

        observeHold("b", 60_000, 20_000);

        assertThat(observations.usualHold("job")).as("20 s are not repeated").isNull();
    }

    @Test
    void ownHoldsAreNotLearnedWhileOneIsReleased() {
        observeHold("a", 30_000, 30_000);
        observations.released("job", own(40_000));
        observations.released("job", own(50_000));

        observations.observed("job", TestRows.free().lastHold(own(40_000)).build(), Times.nanos(50_000));
        observations.observed("job", TestRows.free().lastHold(own(50_000)).build(), Times.nanos(51_000));

        assertThat(observations.usualHold("job")).isEqualTo(HALF_MINUTE);
    }

    private static LastHold own(int endMillis) {
        return new LastHold("me", Times.instant(endMillis), Duration.ofSeconds(5), false);
    }

    @Test
    void holdThatEndedByForceIsNotLearned() {
        observeHold("a", 30_000, 30_000);
        observeHold("b", 60_000, 20_000);

        observations.observed(
                "job", released(TestRows.free(), "c", 60_000, 20_000).build(), Times.nanos(90_000));

        assertThat(observations.usualHold("job"))
                .as("the row still tells of the hold before")
                .isNull();
    }

    @Test
    void gapShrinksAroundTheUsualEndOnly() {
        PollBackoff backoff = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(1), () -> 1);
        WaiterPolling polling = new WaiterPolling(
                backoff, observations, new TurnClaims("claimant", observations), "job", Times.nanos(0));
        observeHold("a", 30_000, 30_000);
        LockRow held = TestRows.heldBy("b", 1_001)
                .acquiredAt(Times.instant(40_000))
                .leaseDuration(Duration.ofMinutes(5))
                .expiresAt(Times.instant(300_000))
                .build();
        polling.observed(held, Times.at(40_100));

        assertThat(List.of(40_150, 40_300, 60_000, 69_000, 70_000, 72_000, 80_000))
                .extracting(millis -> gapMillis(polling, millis))
                .containsExactly(165L, 330L, 1_000L, 550L, 330L, 1_000L, 1_000L);
    }

    @Test
    void keptLockIsOneHold() {
        observeHold("a", 30_000, 30_000);
        LockRow held = TestRows.heldBy("b").acquiredAt(Times.instant(40_000)).build();
        LockRow kept = released(held.toBuilder(), "b", 45_000, 5_000)
                .renewals(LockWrite.Rest.FIRST)
                .build();

        observations.observed("job", held, Times.nanos(40_000));
        observations.observed("job", kept, Times.nanos(46_000));
        observations.observed("job", kept, Times.nanos(47_000));

        assertThat(observations.usualHold("job"))
                .as("5 s are not repeated: each poll shows the same hold")
                .isNull();
    }

    @Test
    void waiterWithClaimPollsOftenAroundTheUsualEnd() {
        PollBackoff rare = new PollBackoff(Duration.ofMillis(50), Duration.ofMinutes(1), () -> 1);
        WaiterPolling polling =
                new WaiterPolling(rare, observations, new TurnClaims("me", observations), "job", Times.nanos(0));
        observeHold("a", 600_000, 600_000);
        LockRow claimed = TestRows.heldBy("b", 1_001)
                .acquiredAt(Times.instant(1_000_000))
                .leaseDuration(Duration.ofHours(1))
                .expiresAt(Times.instant(9_000_000))
                .claim(TurnClaim.of(1, Duration.ofMillis(1_500), "me"))
                .build();
        polling.observed(claimed, Times.at(1_000_000));

        assertThat(List.of(1_059_000, 1_100_000, 1_541_000, 1_659_000))
                .extracting(millis -> gapMillis(polling, millis))
                .as("in its first minute, between, and within a minute of the expected end")
                .containsExactly(1_000L, 60_000L, 1_000L, 1_000L);
    }

    @Test
    void shortHoldIsNotExpected() {
        PollBackoff backoff = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(1), () -> 0.5);

        assertThat(backoff.isWorthExpecting(Duration.ofSeconds(1))).isFalse();
        assertThat(backoff.isWorthExpecting(Duration.ofMillis(1_001))).isTrue();
    }

    private static long gapMillis(WaiterPolling polling, int millis) {
        return (polling.next(Times.at(millis)).atNanos() - Times.nanos(millis)) / 1_000_000;
    }

    private void observeHold(String leaseId, int endMillis, int millis) {
        observations.observed(
                "job", released(TestRows.free(), leaseId, endMillis, millis).build(), Times.nanos(endMillis + 100));
    }

    private static LockRowBuilder released(LockRowBuilder row, String leaseId, int endMillis, int millis) {
        return row.lastLeaseId(leaseId)
                .lastHold(new LastHold("owner", Times.instant(endMillis), Duration.ofMillis(millis), false));
    }
}
