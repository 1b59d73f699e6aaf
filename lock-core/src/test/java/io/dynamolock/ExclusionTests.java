/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** With seeded random clocks, no rival may take a lock while its holder treats the lease as held. */
class ExclusionTests {

    private static final long MILLI = 1_000_000;
    private static final LockListener UNHEARD = new LockListener() {};

    /** A machine whose clocks differ from the true time. */
    private static final class Machine extends UtcClock {

        private final long wallOffsetNanos;
        private final double monotonicRate;
        private final long monotonicStart;
        private long trueNanos;

        Machine(long wallOffsetNanos, double monotonicRate, long monotonicStart) {
            this.wallOffsetNanos = wallOffsetNanos;
            this.monotonicRate = monotonicRate;
            this.monotonicStart = monotonicStart;
        }

        ClockReading read(long atTrueNanos, Duration maxSkew) {
            trueNanos = atTrueNanos;
            return new WallLeaseClock(this, this::monotonic, maxSkew, LeaseTime.SYSTEM, UNHEARD).now();
        }

        private long monotonic() {
            return monotonicStart + (long) (trueNanos * monotonicRate);
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(Times.START_MILLIS).plusNanos(trueNanos + wallOffsetNanos);
        }
    }

    @Test
    void holderAndTakeoverNeverOverlapWithinAllowedSkew() {
        Random random = new Random(20_261_120);
        int holding = 0;
        int taking = 0;
        for (int i = 0; i < 100_000; i++) {
            Duration skew = Duration.ofMillis(random.nextInt(200));
            long apart = random.nextLong(2 * skew.toNanos() + 1) - skew.toNanos();
            Machine holder = new Machine(random.nextLong(MILLI), rate(random), random.nextLong());
            Machine rival = new Machine(holder.wallOffsetNanos + apart, rate(random), random.nextLong());
            long sent = random.nextLong(1_000 * MILLI);
            Duration lease = Duration.ofMillis(1 + random.nextInt(300));
            long checkedAt = sent + random.nextLong(lease.toNanos() + 2 * skew.toNanos() + 4 * MILLI);

            LockStore rows = new InMemoryLockStore();
            Proposal held = acquire(rows, holder.read(sent, skew), lease);
            boolean holds = !held.end().isPast(holder.read(checkedAt, skew));
            boolean takes = isTaken(rows, rival.read(checkedAt, skew), held);

            assertThat(holds && takes)
                    .as("case %d: skew %s, apart %d ns, lease %s", i, skew, apart, lease)
                    .isFalse();
            holding += holds ? 1 : 0;
            taking += takes ? 1 : 0;
        }

        assertThat(holding).isGreaterThan(20_000);
        assertThat(taking).isGreaterThan(5_000);
    }

    @Test
    void deadHolderIsReplacedWithinLeasePlusTwoSkews() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            Duration skew = Duration.ofMillis(random.nextInt(2_000));
            long apart = random.nextLong(2 * skew.toNanos() + 1) - skew.toNanos();
            Machine holder = new Machine(0, 1, 0);
            Machine rival = new Machine(apart, 1, random.nextLong());
            Duration lease = Duration.ofMillis(1 + random.nextInt(300));

            LockStore rows = new InMemoryLockStore();
            Proposal held = acquire(rows, holder.read(0, skew), lease);
            long latest = lease.toNanos() + 2 * skew.toNanos() + 2 * MILLI;

            assertThat(isTaken(rows, rival.read(latest, skew), held)).isTrue();
        }
    }

    private static double rate(Random random) {
        return random.nextInt(4) == 0 ? random.nextDouble() : 1;
    }

    private static Proposal acquire(LockStore rows, ClockReading now, Duration lease) {
        Proposal proposal = propose(now, lease, "holder", new FencingTokens());
        assertThat(rows.acquire(proposal.write(), Duration.ZERO).applied()).isTrue();
        return proposal;
    }

    /** Sends an acquire of a process that knows only the highest token of the row. */
    private static boolean isTaken(LockStore rows, ClockReading now, Proposal held) {
        FencingTokens tokens = new FencingTokens(held.write().token());
        Proposal rivals = propose(now, held.write().leaseDuration(), "rival", tokens);
        return rows.acquire(rivals.write(), Duration.ZERO).applied();
    }

    private static Proposal propose(ClockReading now, Duration lease, String leaseId, FencingTokens tokens) {
        LockRequest request = LockRequest.of("job");
        Observations nothing = new Observations(1, lease);
        TurnClaims claims = new TurnClaims("claimant", nothing);
        return new Proposer(request, leaseId, "job", lease, new LockDelay(Duration.ZERO), tokens, nothing, claims)
                .propose(now, leaseId);
    }
}
