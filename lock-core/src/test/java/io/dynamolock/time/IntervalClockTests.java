/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.time.IntervalClock.Range;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalClockTests {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Instant EPOCH = Instant.parse("2026-11-20T10:00:00Z");

    private final IntervalClock empty = IntervalClock.empty(Duration.ofSeconds(1));

    /** The wall clock of a machine with the correct time. */
    private static Instant at(long nanos) {
        return EPOCH.plusNanos(nanos);
    }

    private static Instant date(long nanos) {
        return at(nanos).truncatedTo(ChronoUnit.SECONDS);
    }

    private static Range known(IntervalClock clock, long nanos) {
        Range range = clock.rangeAt(nanos, at(nanos));
        assertThat(range).isNotNull();
        return requireNonNull(range);
    }

    private static IntervalClock sample(IntervalClock clock, long nanos) {
        return clock.withSample(nanos - 5 * MILLI, nanos + 5 * MILLI, 0, date(nanos), at(nanos + 5 * MILLI));
    }

    @Test
    void knowsNothingBeforeFirstResponse() {
        assertThat(empty.isVoid(0, at(0))).isTrue();
        assertThat(empty.rangeAt(0, at(0))).isNull();
    }

    @Test
    void oneResponseYieldsSecondRoundTripAgeAndSkew() {
        Range range = known(sample(empty, 300 * MILLI), 305 * MILLI);

        assertThat(range.high() - range.low()).isEqualTo(SECOND + 10 * MILLI + 10 * MILLI / 1_000 + SECOND);
    }

    @Test
    void responsesNarrowIntervalDownToSkew() {
        IntervalClock clock = empty;
        for (int i = 0; i < 50; i++) {
            clock = sample(clock, i * 130L * MILLI);
        }

        Range range = known(clock, 50 * 130 * MILLI);

        assertThat(range.high() - range.low()).isBetween(SECOND, SECOND + 60 * MILLI);
    }

    @Test
    void wellTimedResponseHalvesTheUncertainty() {
        for (long phase = 0; phase < SECOND; phase += 7 * MILLI) {
            IntervalClock clock = sample(empty, phase);
            for (long responses = 1; responses <= 3; responses++) {
                long latest = responses * 10 * SECOND;
                long moment = requireNonNull(clock.mostInformativeTimeUpTo(latest, at(latest)));
                assertThat(moment).isBetween(latest - SECOND, latest);
                long before = known(clock, moment).width() - SECOND;

                clock = sample(clock, moment);

                assertThat(known(clock, moment + 5 * MILLI).width() - SECOND).isLessThan(before / 2 + 20 * MILLI);
            }
        }
    }

    @Test
    void noSampleIsPlannedIfEnoughOrNothingIsKnown() {
        IntervalClock sharp = sample(sample(empty, 995 * MILLI), 1_005 * MILLI);
        IntervalClock refuted = sample(empty, 0).withSample(SECOND, SECOND, 0, date(30 * SECOND), at(SECOND));

        assertThat(empty.mostInformativeTimeUpTo(2 * SECOND, at(2 * SECOND))).isNull();
        assertThat(sharp.mostInformativeTimeUpTo(2 * SECOND, at(2 * SECOND))).isNull();
        assertThat(refuted.mostInformativeTimeUpTo(2 * SECOND, at(2 * SECOND))).isNull();
    }

    @Test
    void widensWithAge() {
        IntervalClock clock = sample(empty, 0);
        Range young = known(clock, 5 * MILLI);

        Range old = known(clock, 5 * MILLI + 1_000 * SECOND);

        assertThat(old.low()).isEqualTo(young.low() - 500 * MILLI);
        assertThat(old.high()).isEqualTo(young.high() + 500 * MILLI);
    }

    @Test
    void widensHoweverOftenResponsesArrive() {
        IntervalClock clock = IntervalClock.empty(Duration.ZERO);
        for (long nanos = 0; nanos < 10 * SECOND; nanos += 900_000) {
            long common = nanos + nanos / 2_500;
            clock = clock.withSample(nanos, nanos, 0, date(common), at(nanos));

            long offset = EPOCH.getEpochSecond() * SECOND + common - nanos;
            Range range = known(clock, nanos);
            assertThat(clock.isRefuted(nanos)).isFalse();
            assertThat(offset).isBetween(range.low(), range.high());
        }
    }

    @Test
    void responseAgeCountsFromRequest() {
        long sent = 999 * MILLI;
        long received = sent + 1_000 * SECOND;

        IntervalClock clock =
                IntervalClock.empty(Duration.ZERO).withSample(sent, received, 0, date(sent), at(received));

        long gained = 400 * MILLI;
        assertThat(known(clock, received).high()).isGreaterThanOrEqualTo(EPOCH.getEpochSecond() * SECOND + gained);
    }

    @Test
    void isVoidAfterAnHourWithoutResponse() {
        IntervalClock clock = sample(empty, 0);

        assertThat(clock.isVoid(3_600 * SECOND, at(3_600 * SECOND))).isFalse();
        assertThat(clock.isVoid(3_601 * SECOND, at(3_601 * SECOND))).isTrue();
    }

    @Test
    void isVoidAfterMachinePause() {
        IntervalClock clock = sample(empty, 0);

        Instant afterSuspension = at(SECOND).plusMillis(600);

        assertThat(clock.isVoid(SECOND, afterSuspension)).isTrue();
    }

    @Test
    void restartsAfterSuspension() {
        IntervalClock clock = sample(empty, 0);
        Instant wall = at(SECOND).plusSeconds(3_000);

        IntervalClock after = clock.withSample(SECOND, SECOND, 0, wall.truncatedTo(ChronoUnit.SECONDS), wall);

        assertThat(after.isRefuted(SECOND)).isFalse();
        assertThat(after.isVoid(SECOND, wall)).isFalse();
    }

    @Test
    void contradictionInvalidatesClockForOneHour() {
        IntervalClock clock = sample(sample(empty, 0), SECOND / 2);

        IntervalClock after = clock.withSample(SECOND, SECOND, 0, date(SECOND).plusSeconds(10), at(SECOND));

        assertThat(after.isRefuted(SECOND)).isTrue();
        assertThat(after.isRefuted(3_600 * SECOND)).isTrue();
        assertThat(after.isRefuted(3_601 * SECOND + 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-86_400, -7_200, -1_800, -300, -60, 60, 300, 1_800, 3_540, 7_200, 86_400, 1_000_000_000})
    void consistentDatesNeverReplaceKnownInterval(long wrongBySeconds) {
        IntervalClock clock = sample(empty, 0);
        Range known = requireNonNull(clock.range());

        for (long second = 1; second < 4 * 3_600; second += second < 10 ? 1 : 600) {
            long nanos = second * SECOND;
            clock = clock.withSample(nanos, nanos, 0, date(nanos).plusSeconds(wrongBySeconds), at(nanos));

            assertThat(clock.range()).isEqualTo(known);
            assertThat(clock.isRefuted(nanos)).isTrue();
        }
    }

    @Test
    void wrongDatesAreNotedAfterAnySilence() {
        IntervalClock clock = sample(empty, 0);
        long later = 7 * 86_400 * SECOND;

        IntervalClock after = clock.withSample(later, later, 0, date(later).plusSeconds(1_800), at(later));

        assertThat(clock.isVoid(later, at(later))).isTrue();
        assertThat(after.isRefuted(later)).isTrue();
        assertThat(sample(clock, later).isRefuted(later + SECOND)).isFalse();
        assertThat(sample(clock, later).isVoid(later + SECOND, at(later + SECOND)))
                .isFalse();
    }

    @Test
    void suspensionExplainsAtMostItsOwnLength() {
        IntervalClock clock = sample(empty, 0);
        Instant awake = at(SECOND).plusSeconds(600);

        IntervalClock explained = clock.withSample(SECOND, SECOND, 0, awake, awake);
        IntervalClock wrong = clock.withSample(SECOND, SECOND, 0, awake.plusSeconds(1_800), awake);

        assertThat(explained.isRefuted(SECOND)).isFalse();
        assertThat(wrong.isRefuted(SECOND)).isTrue();
    }

    @Test
    void isTrustedOneHourAfterLastContradiction() {
        IntervalClock clock = sample(empty, 0);
        clock = clock.withSample(SECOND, SECOND, 0, date(SECOND).plusSeconds(86_400), at(SECOND));
        clock = sample(clock, 2 * SECOND);
        long beforeTheHour = 3_600 * SECOND;
        long afterTheHour = 3_602 * SECOND;

        clock = sample(clock, beforeTheHour);

        assertThat(clock.isRefuted(beforeTheHour)).isTrue();
        assertThat(clock.isRefuted(afterTheHour)).isFalse();
        assertThat(clock.rangeAt(afterTheHour, at(afterTheHour))).isNotNull();
    }

    @Test
    void firstDateFarFromWallClockIsTrustedOnceConfirmed() {
        IntervalClock clock = empty;
        for (int i = 0; i < 4; i++) {
            assertThat(clock.range()).isNull();
            clock = clock.withSample(i * SECOND, i * SECOND, 0, Instant.EPOCH.plusSeconds(i), at(i * SECOND));
        }

        assertThat(known(clock, 4 * SECOND).high()).isLessThan(10 * SECOND);
        assertThat(clock.isFarOffTheWallClock()).isTrue();
        assertThat(sample(empty, 0).isFarOffTheWallClock()).isFalse();
    }

    @Test
    void absurdFirstDateIsNotTrusted() {
        IntervalClock clock = empty.withSample(0, 0, 0, Instant.EPOCH, at(0));

        assertThat(clock.isVoid(0, at(0))).isTrue();
        assertThat(sample(clock, SECOND).isVoid(SECOND + 5 * MILLI, at(SECOND + 5 * MILLI)))
                .isFalse();
    }

    @Test
    void responseWithoutDateChangesNothing() {
        IntervalClock clock = sample(empty, 0);

        assertThat(clock.withUndatedResponse(SECOND, at(SECOND)).undated()).isFalse();
        assertThat(empty.withUndatedResponse(0, at(0)).undated()).isTrue();
        assertThat(sample(empty.withUndatedResponse(0, at(0)), SECOND).undated())
                .isFalse();
    }

    /** Front ends that round down, send dates up to a second old, and differ within the allowed skew. */
    @Test
    void trueTimeIsAlwaysInside() {
        Random random = new Random(4711);
        for (int history = 0; history < 2_000; history++) {
            long[] renderedLate = {0, random.nextLong(SECOND)};
            long drift = random.nextLong(-400, 401);
            IntervalClock clock = empty;
            long now = 0;
            for (int step = 0; step < 40; step++) {
                now += random.nextLong(step % 7 == 0 ? 120 * SECOND : 2 * SECOND);
                long sent = now;
                long served = sent + random.nextLong(50 * MILLI);
                long received = served + random.nextLong(200 * MILLI);
                now = received;
                long trueServed = served + served / 1_000_000 * drift;
                long late = random.nextBoolean() ? renderedLate[1] : 0;
                Instant date = at(trueServed - late).truncatedTo(ChronoUnit.SECONDS);
                clock = clock.withSample(sent, received, 0, date, at(received));

                long trueNow = received + received / 1_000_000 * drift;
                long common = trueNow - SECOND / 2;
                Range range = known(clock, received);
                long epoch = EPOCH.getEpochSecond() * SECOND;
                assertThat(clock.isRefuted(received)).isFalse();
                assertThat(epoch + common)
                        .as("history %d, step %d", history, step)
                        .isBetween(received + range.low(), received + range.high());
            }
        }
    }

    @Test
    void suspensionDuringRequestDoesNotMislead() {
        long stood = 3 * SECOND;

        IntervalClock clock = empty.withSample(0, 100 * MILLI, stood, date(0), at(100 * MILLI + stood));

        long offset = EPOCH.getEpochSecond() * SECOND + stood;
        assertThat(requireNonNull(clock.rangeAt(100 * MILLI, at(100 * MILLI + stood))))
                .satisfies(range -> assertThat(offset).isBetween(range.low(), range.high()));
    }

    @Test
    void repeatedShortSuspensionsDoNotMislead() {
        IntervalClock clock = empty;
        long stood = 0;
        for (int i = 1; i < 20; i++) {
            long nanos = i * SECOND;
            clock = clock.withSample(nanos, nanos, 0, date(nanos + stood), at(nanos + stood));
            stood += 400 * MILLI;

            long offset = EPOCH.getEpochSecond() * SECOND + stood;
            assertThat(requireNonNull(clock.rangeAt(nanos, at(nanos + stood))))
                    .satisfies(range -> assertThat(offset).isBetween(range.low(), range.high()));
        }
        assertThat(clock.isRefuted(20 * SECOND)).isFalse();
    }
}
