/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RenewalScheduleTests {

    private static final long SECOND = 1_000_000_000;
    /** The monotonic clock overflows 5 s later. */
    private static final long NOW = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

    private static final long END = NOW + 30 * SECOND;
    private static final long DUE = NOW + 10 * SECOND;
    private static final Duration MARGIN = Duration.ofMillis(50);

    private final RenewalSchedule schedule = new RenewalSchedule(every(10), MARGIN);

    @BeforeEach
    void planFirstRenewal() {
        assertThat(schedule.begin(true, false)).isTrue();
        schedule.renewAt(NOW + schedule.firstDelayNanos(END - NOW), NOW, END);
    }

    private static RenewalPlan every(int seconds) {
        return new RenewalPlan(Duration.ofSeconds(seconds), () -> 0);
    }

    @Test
    void renewalBeginsOnceAtItsTime() {
        assertThat(schedule.beginRenewal(DUE - 1)).isFalse();
        assertThat(schedule.beginRenewal(DUE)).isTrue();
        assertThat(schedule.beginRenewal(DUE)).isFalse();
    }

    @Test
    void stoppedScheduleBeginsNoRenewal() {
        schedule.stop();

        assertThat(schedule.beginRenewal(DUE)).isFalse();
        assertThat(schedule.isMovable()).isFalse();
        assertThat(schedule.continues(false)).isFalse();
        assertThat(schedule.isAtRest()).isTrue();
    }

    @Test
    void failureIsRetriedUntilOneSucceeds() {
        fail(DUE);
        assertThat(schedule.isRetry()).isTrue();
        assertThat(schedule.retryDelayNanos(20 * SECOND)).isEqualTo(SECOND / 10);

        schedule.retryAt(DUE + SECOND);
        fail(DUE + SECOND);
        assertThat(schedule.retryDelayNanos(20 * SECOND)).isEqualTo(10 * SECOND);

        schedule.retryAt(DUE + 2 * SECOND);
        assertThat(schedule.beginRenewal(DUE + 2 * SECOND)).isTrue();
        schedule.endRenewal(true);
        assertThat(schedule.isRetry()).isFalse();
    }

    @Test
    void renewalIsTooLateIfTheLeaseEndsBefore() {
        assertThat(schedule.renewsTooLate(NOW, END, false)).isFalse();
        assertThat(schedule.renewsTooLate(NOW, DUE - 1, false)).isTrue();
        assertThat(schedule.renewsTooLate(DUE - 1, DUE - 1, false)).isFalse();

        assertThat(schedule.renewsTooLate(NOW, NOW + 13 * SECOND, false)).isTrue();
        assertThat(schedule.renewsTooLate(NOW, NOW + 14 * SECOND, false)).isFalse();

        assertThat(schedule.continues(true)).isFalse();
        assertThat(schedule.renewsTooLate(NOW, END, true)).isFalse();
        assertThat(schedule.renewsTooLate(NOW, END, false)).isTrue();

        schedule.stop();
        assertThat(schedule.renewsTooLate(NOW, DUE - 1, false)).isFalse();
    }

    /** As late as a probe of an unavailable store may be. */
    @Test
    void retryIsTooLateIfItLeavesHardlyAnyTime() {
        fail(DUE);
        schedule.retryAt(DUE + 19 * SECOND);

        assertThat(schedule.renewsTooLate(DUE, DUE + 20 * SECOND, false)).isFalse();
        assertThat(schedule.renewsTooLate(DUE, DUE + 20 * SECOND - 2, false)).isTrue();
    }

    private void fail(long nanos) {
        assertThat(schedule.beginRenewal(nanos)).isTrue();
        schedule.endRenewal(false);
    }

    @Test
    void lagCountsFromWhenTheRegularRenewalWasDue() {
        fail(DUE);
        schedule.retryAt(DUE + SECOND);

        assertThat(schedule.lagNanos(DUE - SECOND)).isZero();
        assertThat(schedule.lagNanos(DUE + 3 * SECOND)).isEqualTo(3 * SECOND);
    }

    @Test
    void delayOfRetryCountsFromItsOwnTime() {
        assertThat(schedule.delayNanos(DUE, DUE + 2 * SECOND)).isEqualTo(2 * SECOND);
        assertThat(schedule.delayNanos(DUE, DUE - 1)).isZero();

        fail(DUE);
        schedule.retryAt(DUE + SECOND);
        assertThat(schedule.delayNanos(DUE + SECOND, DUE + 2 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void regularRenewalIsPostponedOnceAndNotBeyondThreeQuarters() {
        assertThat(schedule.moveTo(NOW + 29 * SECOND)).isEqualTo(NOW + 30 * SECOND * 3 / 4);
        assertThat(schedule.moveTo(NOW + 29 * SECOND)).isNull();
        assertThat(schedule.moveTo(DUE)).isNull();
    }

    @Test
    void postponedRetryIsNotPostponedAgain() {
        fail(DUE);
        schedule.retryAt(DUE + SECOND);

        assertThat(schedule.moveTo(DUE + 2 * SECOND)).isEqualTo(DUE + 2 * SECOND);
        assertThat(schedule.moveTo(DUE + 3 * SECOND)).isNull();
        assertThat(schedule.moveTo(DUE)).isEqualTo(DUE);
        assertThat(schedule.beginRenewal(DUE)).isTrue();
        assertThat(schedule.isMovable()).isFalse();
    }

    @Test
    void shorterLeaseIsRenewedEarlier() {
        schedule.change(every(2), MARGIN);

        assertThat(schedule.renewEarlier(DUE, NOW, END)).isFalse();
        assertThat(schedule.renewEarlier(DUE - 1, NOW, END)).isTrue();
        assertThat(schedule.nextDelayNanos(6 * SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void earliestOfSeveralRenewalsIsPlanned() {
        assertThat(schedule.renewEarlier(DUE - 2, NOW, END)).isTrue();
        assertThat(schedule.renewEarlier(DUE - 1, NOW, END)).isFalse();

        assertThat(schedule.beginRenewal(DUE - 2)).isTrue();
    }

    @Test
    void longerLeaseEndsTheRest() {
        assertThat(schedule.continues(true)).isFalse();
        assertThat(schedule.isAtRest()).isTrue();

        assertThat(schedule.renewEarlier(DUE + SECOND, NOW, END)).isTrue();
        assertThat(schedule.isAtRest()).isFalse();
        assertThat(schedule.renewEarlier(DUE + SECOND, NOW, END)).isFalse();
    }

    @Test
    void leaseAtItsMaximumHoldPlansNoRenewal() {
        assertThat(schedule.begin(true, true)).isFalse();
        assertThat(schedule.isAtRest()).isTrue();
    }

    @Test
    void renewalIsOverdueUntilItBegins() {
        assertThat(schedule.isOverdue(DUE)).isFalse();
        assertThat(schedule.isOverdue(DUE + 1)).isTrue();

        assertThat(schedule.beginRenewal(DUE)).isTrue();
        assertThat(schedule.isOverdue(DUE + 1)).isFalse();
    }

    @Test
    void expiryIsCheckedAMarginEarlierIfRenewed() {
        assertThat(schedule.firstExpiryCheckNanos(END)).isEqualTo(END - MARGIN.toNanos());
        assertThat(schedule.nextExpiryCheckNanos(NOW, END)).isEqualTo(END - MARGIN.toNanos());
        assertThat(schedule.nextExpiryCheckNanos(END - MARGIN.toNanos(), END)).isNull();

        assertThat(schedule.begin(false, false)).isFalse();
        assertThat(schedule.firstExpiryCheckNanos(END)).isEqualTo(END);
        assertThat(schedule.isOverdue(DUE + 1)).isFalse();
    }

    @Test
    void checkIsTooLateForShortenedLease() {
        schedule.checkExpiryAt(END);
        assertThat(schedule.checksExpiryTooLate(END - 1)).isFalse();

        schedule.beginExpiryChecks();
        assertThat(schedule.checksExpiry()).isTrue();
        assertThat(schedule.checksExpiryTooLate(END - 1)).isTrue();
        assertThat(schedule.checksExpiryTooLate(END)).isFalse();
    }
}
