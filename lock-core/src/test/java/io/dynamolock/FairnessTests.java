/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that ask for one lock in a loop: each releases it and asks again at once. */
class FairnessTests {

    private static final Duration TICK = Duration.ofMillis(10);
    private static final long LONG = Long.MAX_VALUE;
    private static final TurnClaim WAITING = TurnClaim.of(1, Duration.ofMillis(1_500), "dead");

    private final TestClock clock = new TestClock();
    private final InMemoryLockStore rows = new InMemoryLockStore(clock);
    private final List<Contender> contenders = new ArrayList<>();
    private final List<Contender> turns = new ArrayList<>();
    private final AtomicInteger claims = new AtomicInteger();

    @AfterEach
    void close() {
        contenders.forEach(Contender::close);
    }

    @ParameterizedTest(name = "{0} processes that hold for {1} ms")
    @CsvSource({"2, 50", "4, 50", "8, 50", "4, 1000", "3, 10000"})
    void eachProcessIsServedInTurn(int processes, long holdMillis) {
        play(processes, holdMillis, 25 * processes);

        assertThat(contenders).allSatisfy(contender -> {
            assertThat(contender.longestWait).as("turns of others").isLessThanOrEqualTo(processes + 1);
            assertThat(contender.served).isGreaterThan(20);
        });
        assertThat(claims).as("claims").hasValueLessThan(turns.size() * processes);
    }

    @Test
    void processThatReleasesLeavesNextTurnToClaimant() throws InterruptedException {
        LockManager releasing = new Contender(LONG).locks;
        Lease lease = contenders.get(0).lease();
        claim(WAITING);
        lease.close();

        assertThat(releasing.tryAcquire("job")).isEmpty();
        assertThatThrownBy(() -> releasing.acquire("job", Duration.ZERO))
                .isInstanceOf(LockBusyException.class)
                .hasMessageContaining("reserved for a process that has waited longer");
    }

    @Test
    void deadClaimantCostsItsWindowOnce() throws InterruptedException {
        Contender holder = new Contender(LONG);
        Lease lease = holder.lease();
        Contender waiter = new Contender(LONG);
        clock.advance(Duration.ofSeconds(5));
        claim(WAITING);
        lease.close();
        long released = clock.millis();

        while (!waiter.acquisition.isDone()) {
            clock.advance(TICK);
        }

        assertThat(clock.millis() - released).isBetween(1_500L, 4_500L);
        waiter.lease().close();
        assertThat(holder.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void nobodyClaimsWhileNobodyMissesTurn() throws InterruptedException {
        Contender holder = new Contender(LONG);
        Lease lease = holder.lease();
        Contender waiter = new Contender(LONG);
        clock.advance(Duration.ofHours(1));
        lease.close();
        clock.advance(Duration.ofSeconds(2));

        assertThat(waiter.lease().isHeld()).isTrue();
        assertThat(claims).hasValue(0);
    }

    @Test
    void waiterClaimsNoTurnOfItsOwnProcess() {
        Contender rival = new Contender(LONG);
        Lease lease = rival.lease();
        Contender waiter = new Contender(LONG);
        clock.advance(Duration.ofSeconds(5));
        lease.close();
        Lease own = waiter.locks.tryAcquire("job").orElseThrow();
        clock.advance(Duration.ofMinutes(1));

        assertThat(waiter.acquisition).isNotDone();
        assertThat(claims).hasValue(0);
        own.close();
        assertThat(waiter.lease().isHeld()).isTrue();
    }

    @Test
    void waiterThatGivesUpWithdrawsItsClaim() throws InterruptedException {
        Contender first = new Contender(LONG);
        Lease lease = first.lease();
        Contender waiter = new Contender(LONG);
        clock.advance(Duration.ofSeconds(1));
        lease.close();
        Lease next = first.locks.tryAcquire("job").orElseThrow();
        clock.advance(Duration.ofSeconds(1));
        assertThat(claims).hasValue(1);

        waiter.acquisition.cancel(true);
        clock.advance(TICK);
        next.close();

        assertThat(new Contender(LONG).lease().isHeld()).isTrue();
        assertThat(claims).as("claimed and withdrawn").hasValue(2);
    }

    private void claim(TurnClaim claim) {
        assertThat(rows.claim(new LockWrite.Claim("job", claim), Duration.ZERO).applied())
                .isTrue();
    }

    private void play(int processes, long holdMillis, int count) {
        for (int i = 0; i < processes; i++) {
            new Contender(holdMillis);
        }
        while (turns.size() < count) {
            clock.advance(TICK);
            contenders.forEach(Contender::step);
        }
    }

    private final class Contender {

        private final long holdTicks;
        private final LockManager locks;
        private CompletableFuture<Optional<Lease>> acquisition = new CompletableFuture<>();
        private long held;
        private int asked;
        private int served;
        private int longestWait;

        Contender(long holdMillis) {
            holdTicks = holdMillis / TICK.toMillis();
            locks = LockManager.builder(rows)
                    .testClock(clock)
                    .shutdownGrace(Duration.ZERO)
                    .listener(new LockListener() {
                        @Override
                        public void onRequest(String name, Operation operation, RequestOutcome outcome) {
                            if (operation == Operation.CLAIM) {
                                claims.incrementAndGet();
                            }
                        }
                    })
                    .build();
            contenders.add(this);
            ask();
        }

        private void ask() {
            asked = turns.size();
            acquisition = locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofDays(1)));
        }

        void step() {
            if (!acquisition.isDone()) {
                return;
            }
            if (held == 0) {
                served++;
                longestWait = Math.max(longestWait, turns.size() - asked);
                turns.add(this);
            }
            if (++held > holdTicks) {
                held = 0;
                lease().close();
                ask();
            }
        }

        Lease lease() {
            return acquisition
                    .completeOnTimeout(Optional.empty(), 10, TimeUnit.SECONDS)
                    .join()
                    .orElseThrow();
        }

        void close() {
            locks.close();
        }
    }
}
