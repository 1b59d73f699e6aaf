/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TurnClaimsTests {

    private static final Duration WINDOW = Duration.ofMillis(1_500);
    private static final PollBackoff POLLS = polls(Duration.ofMillis(50), Duration.ofSeconds(1));
    private static final TurnClaim THEIRS = TurnClaim.of(1_000, WINDOW, "another");

    private final Observations observations = new Observations(10, Duration.ofSeconds(30));
    private final TurnClaims claims = new TurnClaims("this", observations);

    @Test
    void waiterThatMissedTurnClaimsNextOne() {
        LockRow held = TestRows.heldBy("theirs", 1_001).build();

        assertThat(claims.due(held, 1_000, POLLS)).isEqualTo(TurnClaim.of(1_000, WINDOW, "this"));
        assertThat(claims.due(held, 1_001, POLLS)).as("the same turn").isNull();
    }

    @Test
    void freeLockIsNotClaimed() {
        assertThat(claims.due(TestRows.free(1_001).build(), 1_000, POLLS)).isNull();
        assertThat(claims.due(LockRow.ABSENT, 0, POLLS)).isNull();
    }

    /** The store would reject it at each poll. */
    @Test
    void lockOfAnotherLibraryOrLaterVersionIsNotClaimed() {
        LockRowBuilder held = TestRows.heldBy("theirs", 1_001);

        assertThat(claims.due(held.laterFormat(true).build(), 1_000, POLLS)).isNull();
        assertThat(claims.due(held.laterFormat(false).stamp(new Object()).build(), 1_000, POLLS))
                .isNull();
    }

    @Test
    void onlyLessSeniorClaimIsReplaced() {
        LockRowBuilder held = TestRows.heldBy("theirs", 1_005);

        assertThat(claims.due(held.claim(THEIRS).build(), 1_000, POLLS))
                .as("as senior")
                .isNull();
        assertThat(claims.due(held.claim(TurnClaim.of(1_001, WINDOW, "another")).build(), 1_000, POLLS))
                .as("less senior")
                .isNotNull();
        assertThat(claims.due(held.claim(TurnClaim.of(1_003, WINDOW, "this")).build(), 1_000, POLLS))
                .as("own")
                .isNull();
        assertThat(claims.due(held.claim(new TurnClaim("x")).build(), 1_000, POLLS))
                .as("malformed")
                .isNotNull();
        assertThat(claims.due(held.claim(new TurnClaim("0")).build(), 1_000, POLLS))
                .as("malformed, and not replaced by the store")
                .isNull();
    }

    @Test
    void windowHasRoomForOnePoll() {
        LockRow held = TestRows.heldBy("theirs", 1_001).build();

        assertThat(claimWithPollMax(Duration.ofMillis(100), held).window()).isEqualTo(Duration.ofMillis(600));
        assertThat(claimWithPollMax(Duration.ofSeconds(30), held).window()).isEqualTo(WINDOW);
    }

    private TurnClaim claimWithPollMax(Duration pollMax, LockRow held) {
        return Objects.requireNonNull(claims.due(held, 1_000, polls(Duration.ofMillis(50), pollMax)));
    }

    private static PollBackoff polls(Duration min, Duration max) {
        return new PollBackoff(min, max, () -> 0.5);
    }

    @Test
    void waiterThatPollsTooRarelyForTheWindowClaimsNothing() {
        LockRow held = TestRows.heldBy("theirs", 1_001).build();
        Duration max = Duration.ofSeconds(30);

        assertThat(claims.due(held, 1_000, polls(Duration.ofMillis(1_001), max)))
                .isNull();
        assertThat(claims.due(held, 1_000, polls(Duration.ofSeconds(1), max))).isNotNull();
    }

    @Test
    void claimOfAnotherReservesFreeLock() {
        assertThat(isReserved(released(0), Times.at(0))).isTrue();
        assertThat(isReserved(TestRows.free().lastHold(hold(0)).build(), Times.at(0)))
                .as("unclaimed")
                .isFalse();
        assertThat(isReserved(
                        TestRows.free()
                                .lastHold(hold(0))
                                .claim(TurnClaim.of(1_000, WINDOW, "this"))
                                .build(),
                        Times.at(0)))
                .as("own")
                .isFalse();
        assertThat(isReserved(TestRows.heldBy("theirs").claim(THEIRS).build(), Times.at(0)))
                .as("held")
                .isFalse();
        assertThat(isReserved(TestRows.free().claim(THEIRS).build(), Times.at(0)))
                .as("release unknown")
                .isFalse();
    }

    @Test
    void reservationEndsByCommonTimeOnceWindowHasSurelyPassed() {
        assertThat(isReserved(released(0), Times.at(2_000))).isTrue();
        assertThat(isReserved(released(0), Times.at(2_001))).isFalse();
    }

    @Test
    void releaseInFutureReservesForWindowOnly() {
        long longest = WINDOW.toMillis() + Times.HALF_SKEW;

        assertThat(isReserved(released(longest), Times.at(0))).isTrue();
        assertThat(isReserved(released(longest + 1), Times.at(0))).isFalse();
    }

    @Test
    void uncertainTimeEndsNoReservationEarly() {
        long now = Times.START_MILLIS;
        ClockReading uncertain = new ClockReading(Times.nanos(0), now, now - 10_000, now + 10_000, LeaseTime.SYSTEM);

        assertThat(isReserved(released(0), uncertain)).isTrue();
    }

    @Test
    void reservationEndsOnceRowWasObservedForWindow() {
        LockRow row = released(0);
        observations.observed("job", row, Times.nanos(0));

        assertThat(isReserved(row, Times.at(1_500, LeaseTime.OBSERVED))).isTrue();
        assertThat(isReserved(row, Times.at(1_501, LeaseTime.OBSERVED))).isFalse();
        assertThat(isReserved(released(10), Times.at(1_501, LeaseTime.OBSERVED)))
                .as("another turn")
                .isTrue();
    }

    @Test
    void oldReleaseReservesNothingWithoutCommonTime() {
        assertThat(isReserved(released(-60_000), Times.at(Times.HALF_SKEW, LeaseTime.OBSERVED)))
                .isTrue();
        assertThat(isReserved(released(-60_001), Times.at(Times.HALF_SKEW, LeaseTime.OBSERVED)))
                .isFalse();

        observations.observed("job", TestRows.heldBy("theirs").build(), Times.nanos(-60_001));
        observations.observed("job", released(-600_000), Times.nanos(0));
        assertThat(isReserved(released(-600_000), Times.at(0, LeaseTime.OBSERVED)))
                .as("possibly over a minute ago")
                .isFalse();
    }

    @Test
    void releaseThatWasObservedReservesWhateverTheWallClocksShow() {
        for (long error : List.of(-600_000L, 600_000L)) {
            observations.observed("job", TestRows.heldBy("theirs").build(), Times.nanos(-60_000));
            observations.observed("job", released(error), Times.nanos(0));

            assertThat(isReserved(released(error), Times.at(1_500, LeaseTime.OBSERVED)))
                    .isTrue();
            assertThat(isReserved(released(error), Times.at(1_501, LeaseTime.OBSERVED)))
                    .as("after the window")
                    .isFalse();
            assertThat(isReserved(released(error), Times.at(1_500)))
                    .as("by a common time")
                    .isFalse();
        }
    }

    /** Such a hold leaves the claim and the release before it in the row. */
    @Test
    void holdOfAnotherLibraryReservesNothingAnew() {
        LockRow released = released(-600_000);
        LockRow foreign = released.toBuilder().leaseId("held-by-ShedLock").build();
        observations.observed("job", TestRows.heldBy("theirs").build(), Times.nanos(0));
        observations.observed("job", released, Times.nanos(10));
        observations.observed("job", foreign, Times.nanos(60_000));
        observations.observed("job", released, Times.nanos(60_001));

        assertThat(isReserved(released, Times.at(60_001, LeaseTime.OBSERVED))).isFalse();
    }

    @Test
    void onlyOwnOrPastClaimIsPassed() {
        assertThat(claims.ignorableClaim("job", Times.at(0))).as("unknown row").isEqualTo("this");

        observations.observed("job", released(0), Times.nanos(0));
        assertThat(claims.ignorableClaim("job", Times.at(1_000))).as("reserved").isEqualTo("this");
        assertThat(claims.ignorableClaim("job", Times.at(2_001))).as("past").isEqualTo(THEIRS.text());

        observations.observed(
                "job", TestRows.heldBy("theirs", 1_001).claim(THEIRS).build(), Times.nanos(2_100));
        assertThat(claims.ignorableClaim("job", Times.at(9_000))).as("held").isEqualTo("this");

        TurnClaim own = TurnClaim.of(1_000, WINDOW, "this");
        observations.observed("job", TestRows.heldBy("theirs", 1_001).claim(own).build(), Times.nanos(9_100));
        assertThat(claims.ignorableClaim("job", Times.at(9_200))).as("own").isEqualTo(own.text());
    }

    @Test
    void malformedClaimReservesNothing() {
        LockRow row = released(0).toBuilder().claim(new TurnClaim("x")).build();
        observations.observed("job", row, Times.nanos(0));

        assertThat(isReserved(row, Times.at(Times.HALF_SKEW))).isFalse();
        assertThat(claims.ignorableClaim("job", Times.at(0)))
                .as("not remembered")
                .isEqualTo("this");
    }

    private boolean isReserved(LockRow row, ClockReading now) {
        return claims.isReserved("job", row, now);
    }

    private static LockRow released(long atMillis) {
        return TestRows.free()
                .lastLeaseId("lease of " + atMillis)
                .lastHold(hold(atMillis))
                .claim(THEIRS)
                .build();
    }

    private static LastHold hold(long endMillis) {
        return new LastHold("owner", Times.instant(endMillis), Duration.ZERO, false);
    }
}
