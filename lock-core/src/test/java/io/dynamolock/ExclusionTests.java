/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTerm.Renewal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Seeded random histories in which a holder that believes and a rival that may take must never meet. */
class ExclusionTests {

    private static final long MILLI = 1_000_000;
    private static final LockListener UNHEARD = new LockListener() {};

    /** A machine whose clocks differ from the true time. */
    private static final class Machine extends Clock {

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
            return Instant.ofEpochMilli(Moments.START_MILLIS).plusNanos(trueNanos + wallOffsetNanos);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void noHolderBelievesWhileARivalMayTakeForAnyTwoClocksWithinTheSkew() {
        Random random = new Random(20_261_120);
        int believing = 0;
        int taking = 0;
        for (int i = 0; i < 100_000; i++) {
            Duration skew = Duration.ofMillis(random.nextInt(200));
            long apart = random.nextLong(2 * skew.toNanos() + 1) - skew.toNanos();
            Machine holder = new Machine(random.nextLong(MILLI), rate(random), random.nextLong());
            Machine rival = new Machine(holder.wallOffsetNanos + apart, rate(random), random.nextLong());
            long sent = random.nextLong(1_000 * MILLI);
            Duration lease = Duration.ofMillis(1 + random.nextInt(300));
            long looks = sent + random.nextLong(lease.toNanos() + 2 * skew.toNanos() + 4 * MILLI);

            LeaseEnd end = LeaseEnd.after(holder.read(sent, skew), lease);
            boolean believes = !end.isPast(holder.read(looks, skew));
            boolean takes = Refusals.isPastEnd(rowOf(end), rival.read(looks, skew));

            assertThat(believes && takes)
                    .as("case %d: skew %s, apart %d ns, lease %s", i, skew, apart, lease)
                    .isFalse();
            believing += believes ? 1 : 0;
            taking += takes ? 1 : 0;
        }

        assertThat(believing).isGreaterThan(20_000);
        assertThat(taking).isGreaterThan(5_000);
    }

    @Test
    void aDeadHoldersLockMayBeTakenOneLeaseAndTwoSkewsAfterItsLastWriteAtTheLatest() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            Duration skew = Duration.ofMillis(random.nextInt(2_000));
            long apart = random.nextLong(2 * skew.toNanos() + 1) - skew.toNanos();
            Machine holder = new Machine(0, 1, 0);
            Machine rival = new Machine(apart, 1, random.nextLong());
            Duration lease = Duration.ofMillis(1 + random.nextInt(300));

            LeaseEnd end = LeaseEnd.after(holder.read(0, skew), lease);
            long latest = lease.toNanos() + 2 * skew.toNanos() + 2 * MILLI;

            assertThat(Refusals.isPastEnd(rowOf(end), rival.read(latest, skew))).isTrue();
        }
    }

    /**
     * One holder sends renewals of any length; each reaches the row late, twice or never, in any order, and its answer comes
     * late or never. A rival with the right clock takes the row as soon as it has ended.
     */
    @Test
    void noHistoryOfLateDoubledAndUnansweredRenewalsLetsAHolderBelieveTooLong() {
        Random random = new Random(42);
        int renewed = 0;
        int overtaken = 0;
        for (int i = 0; i < 50_000; i++) {
            History history = new History(random);
            for (int step = 0; step < 12; step++) {
                history.step();
                assertThat(history.isTaken() && history.isHeld())
                        .as("history %d: %s", i, history.told)
                        .isFalse();
            }
            renewed += history.renewed;
            overtaken += history.overtaken;
        }

        assertThat(renewed).isGreaterThan(10_000);
        assertThat(overtaken).isGreaterThan(1_000);
    }

    private static double rate(Random random) {
        return random.nextInt(4) == 0 ? random.nextDouble() : 1;
    }

    private static LockRow rowOf(LeaseEnd end) {
        return RowBuilder.heldBy("a")
                .endsAt(end.commonMillis() - Moments.START_MILLIS)
                .clock(end.time())
                .build();
    }

    /** The messages of one holder, and what becomes of them. */
    private static final class History {

        private record Answered(
                Renewal renewal,
                LockStore.Renew write,
                @Nullable LockRow refusedBy) {}

        private final Random random;
        private final LeaseTerm term;
        private final List<Renewal> underWay = new ArrayList<>();
        private final List<Answered> answers = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        private long millis;
        private LeaseEnd rowEnd;
        private long rowRenewals;
        private boolean taken;
        private int renewed;
        private int overtaken;

        History(Random random) {
            this.random = random;
            this.rowEnd = LeaseEnd.after(now(), lease());
            this.term = new LeaseTerm(rowEnd);
        }

        private ClockReading now() {
            long wall = Moments.START_MILLIS + millis;
            return new ClockReading(Moments.nanos(millis), wall, wall, wall, LeaseTime.SYSTEM);
        }

        private Duration lease() {
            return Duration.ofMillis(1 + random.nextInt(10));
        }

        void step() {
            switch (random.nextInt(5)) {
                case 0 -> pass();
                case 1 -> send();
                case 2, 3 -> deliver();
                default -> answer();
            }
        }

        private void pass() {
            millis += 1 + random.nextInt(3);
            taken |= Refusals.isPastEnd(row(), now());
            told.add(millis + (taken ? " taken" : ""));
        }

        private void send() {
            if (term.isHeldAt(now())) {
                Renewal renewal = term.startRenewal(now(), lease());
                underWay.add(renewal);
                told.add("sent " + renewal.number() + " for " + renewal.lease());
            }
        }

        private void deliver() {
            if (underWay.isEmpty() || taken) {
                return;
            }
            int chosen = random.nextInt(underWay.size());
            Renewal renewal = underWay.get(chosen);
            if (random.nextBoolean()) {
                underWay.remove(chosen);
            }
            LockRow before = row();
            boolean applies = rowRenewals < renewal.number();
            if (applies) {
                rowRenewals = renewal.number();
                rowEnd = renewal.end();
            }
            told.add((applies ? "applied " : "refused ") + renewal.number());
            if (random.nextBoolean()) {
                answers.add(new Answered(renewal, writeOf(renewal), applies ? null : before));
            }
        }

        private void answer() {
            if (answers.isEmpty()) {
                return;
            }
            Answered answer = answers.remove(random.nextInt(answers.size()));
            Refusals.Renewal meaning = answer.refusedBy() == null
                    ? new Refusals.Renewal.Applied()
                    : Refusals.ofRenewal(answer.write(), answer.refusedBy());
            if (meaning instanceof Refusals.Renewal.Overtaken by) {
                term.overtaken(by.endMillis(), now());
                overtaken++;
            } else {
                term.confirmed(answer.renewal(), now());
                renewed++;
            }
            told.add("answered " + answer.renewal().number() + " " + meaning);
        }

        private LockRow row() {
            return RowBuilder.heldBy("a")
                    .endsAt(rowEnd.commonMillis() - Moments.START_MILLIS)
                    .renewals(rowRenewals)
                    .build();
        }

        private static LockStore.Renew writeOf(Renewal renewal) {
            LeaseEnd end = renewal.end();
            return new LockStore.Renew(
                    "job",
                    "a",
                    renewal.number(),
                    renewal.lease(),
                    Instant.ofEpochMilli(end.commonMillis()),
                    end.time());
        }

        boolean isTaken() {
            return taken;
        }

        boolean isHeld() {
            return term.isHeldAt(now());
        }
    }
}
