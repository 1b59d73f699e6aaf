/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that ask for one lock in a loop: each releases it and asks again at once. */
class FairnessTests {

    private static final Duration TICK = Duration.ofMillis(10);
    private static final long LONG = Long.MAX_VALUE;
    private static final TurnClaim WAITING = TurnClaim.of(1, Duration.ofMillis(1_500), "dead");

    private final Scene scene = new Scene();

    @ParameterizedTest(name = "{0} processes that hold for {1} ms")
    @CsvSource({"2, 60", "4, 60", "8, 60", "4, 1000", "3, 10000"})
    void eachProcessIsServedInTurn(int processes, long holdMillis) {
        scene.play(processes, holdMillis, 25 * processes);

        assertThat(scene.contenders).allSatisfy(contender -> {
            assertThat(contender.mostOthers)
                    .as("others after the first turn missed")
                    .isLessThanOrEqualTo(processes - 1);
            assertThat(contender.served).isGreaterThan(20);
        });
        assertThat(scene.claims()).as("claims").isLessThan(scene.turns * processes);
    }

    /** Also if their wall clocks are far apart. */
    @ParameterizedTest(name = "{0} processes that hold for {1} ms")
    @CsvSource({"3, 60", "4, 60", "4, 1000", "3, 10000"})
    void eachProcessIsServedInTurnWithoutCommonTime(int processes, long holdMillis) {
        Scene apart = new Scene(LeaseTime.OBSERVED, Duration.ofMinutes(10));
        apart.play(processes, holdMillis, 25 * processes);

        assertThat(apart.contenders)
                .allSatisfy(contender -> assertThat(contender.mostOthers)
                        .as("others after the first turn missed")
                        .isLessThanOrEqualTo(processes - 1));
    }

    @Test
    void processThatReleasesLeavesNextTurnToClaimant() throws InterruptedException {
        Scene.Contender holder = scene.new Contender(LONG);
        LockManager releasing = holder.node.locks;
        Lease lease = holder.lease();
        scene.claim(WAITING);
        lease.close();

        assertThat(releasing.tryAcquire("job")).isEmpty();
        assertThatThrownBy(() -> releasing.acquire("job", Duration.ZERO))
                .isInstanceOf(LockBusyException.class)
                .hasMessageContaining("reserved for a process that has waited longer");
    }

    /** The processes and their random delays are the same with and without the claim. */
    @ParameterizedTest(name = "released after {0} ms")
    @ValueSource(longs = {100, 730, 2_000, 2_570, 5_000, 13_420, 45_000})
    void deadClaimantCostsItsWindowOnce(long heldMillis) {
        for (int seed = 0; seed < 20; seed++) {
            long cost = new Scene(seed).millisToNextLease(heldMillis, true)
                    - new Scene(seed).millisToNextLease(heldMillis, false);

            assertThat(cost).as("seed " + seed).isBetween(0L, 2_000L);
        }
    }

    @Test
    void deadClaimantReservesNoSecondTurn() {
        scene.millisToNextLease(5_000, true);
        scene.contenders.get(1).lease().close();

        assertThat(scene.contenders.get(0).node.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void nobodyClaimsWhileNobodyMissesTurn() {
        Scene.Contender holder = scene.new Contender(LONG);
        Lease lease = holder.lease();
        Scene.Contender waiter = scene.new Contender(LONG);
        scene.pass(Duration.ofHours(1));
        lease.close();
        scene.pass(Duration.ofSeconds(2));

        assertThat(waiter.lease().isHeld()).isTrue();
        assertThat(scene.claims()).isZero();
    }

    @Test
    void waiterClaimsNoTurnOfItsOwnProcess() {
        Scene.Contender rival = scene.new Contender(LONG);
        Lease lease = rival.lease();
        Scene.Contender waiter = scene.new Contender(LONG);
        scene.pass(Duration.ofSeconds(5));
        lease.close();
        Lease own = waiter.node.take("job");
        scene.pass(Duration.ofMinutes(1));

        assertThat(waiter.acquisition).isNotDone();
        assertThat(scene.claims()).isZero();
        own.close();
        scene.pass(TICK);
        assertThat(waiter.lease().isHeld()).isTrue();
    }

    @Test
    void waiterThatGivesUpWithdrawsItsClaim() {
        Scene.Contender first = scene.new Contender(LONG);
        Lease lease = first.lease();
        Scene.Contender waiter = scene.new Contender(LONG);
        scene.pass(Duration.ofSeconds(1));
        lease.close();
        Lease next = first.node.take("job");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.claims()).isEqualTo(1);

        waiter.acquisition.cancel(true);
        scene.pass(TICK);
        next.close();

        assertThat(scene.new Contender(LONG).lease().isHeld()).isTrue();
        assertThat(scene.claims()).as("claimed and withdrawn").isEqualTo(2);
    }

    /** Processes on the same rows, in virtual time. */
    private static final class Scene {

        private final ManualTime time = new ManualTime();
        private final InMemoryLockStore rows = new InMemoryLockStore(time);
        private final List<Contender> contenders = new ArrayList<>();
        private final int seed;
        private final LeaseTime leaseTime;
        private final Duration wallError;
        private int turns;

        Scene() {
            this(1);
        }

        Scene(int seed) {
            this(seed, LeaseTime.SYSTEM, Duration.ZERO);
        }

        /** The wall clock of each process is behind that of the one before. */
        Scene(LeaseTime leaseTime, Duration wallError) {
            this(1, leaseTime, wallError);
        }

        private Scene(int seed, LeaseTime leaseTime, Duration wallError) {
            this.seed = seed;
            this.leaseTime = leaseTime;
            this.wallError = wallError;
        }

        void play(int processes, long holdMillis, int count) {
            for (int i = 0; i < processes; i++) {
                new Contender(holdMillis);
            }
            while (turns < count) {
                pass(TICK);
                contenders.forEach(Contender::step);
            }
        }

        /** Returns how long after its release by the first contender the second one gets the lock. */
        long millisToNextLease(long heldMillis, boolean claimed) {
            Lease lease = new Contender(LONG).lease();
            Contender waiter = new Contender(LONG);
            pass(Duration.ofMillis(heldMillis));
            if (claimed) {
                claim(WAITING);
            }
            lease.close();
            long released = time.millis();
            while (!waiter.acquisition.isDone()) {
                pass(TICK);
            }
            return time.millis() - released;
        }

        void claim(TurnClaim claim) {
            assertThat(rows.claim(new LockWrite.Claim("job", claim), Duration.ZERO)
                            .applied())
                    .isTrue();
        }

        /** Counts the claims that were written or withdrawn. */
        int claims() {
            return (int) contenders.stream()
                    .flatMap(contender -> contender.node.store.operations().stream())
                    .filter(Operation.CLAIM::equals)
                    .count();
        }

        void pass(Duration duration) {
            long end = time.nanos() + duration.toNanos();
            while (time.nanos() < end) {
                time.pass(TICK);
                contenders.forEach(contender -> contender.node.pass(TICK));
            }
        }

        private final class Contender {

            private final long holdTicks;
            private final Node node;
            private CompletableFuture<Optional<Lease>> acquisition = new CompletableFuture<>();
            private long held;
            private int asked;
            private int served;
            private int mostOthers;

            Contender(long holdMillis) {
                holdTicks = holdMillis / TICK.toMillis();
                node = Node.spread(
                        time.behindBy(wallError.multipliedBy(contenders.size())),
                        rows,
                        Node.settings(Duration.ofSeconds(30), leaseTime),
                        100L * seed + contenders.size());
                contenders.add(this);
                ask();
            }

            private void ask() {
                asked = turns;
                acquisition = node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofDays(1)));
            }

            void step() {
                if (!acquisition.isDone()) {
                    return;
                }
                if (held == 0) {
                    served++;
                    mostOthers = Math.max(mostOthers, turns - asked - 1);
                    turns++;
                }
                if (++held >= holdTicks) {
                    held = 0;
                    lease().close();
                    ask();
                }
            }

            Lease lease() {
                assertThat(acquisition).isDone();
                return acquisition.join().orElseThrow();
            }
        }
    }
}
