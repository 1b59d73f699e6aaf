/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseValidity.PendingRenewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseValidityTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration HOUR_BACK = Duration.ofHours(-1);

    private final LeaseValidity validity = new LeaseValidity(LeaseExpiry.after(Times.at(0), LEASE));

    @Test
    void isHeldUntilAcquiredEnd() {
        assertThat(validity.isHeldAt(Times.at(9_994))).isTrue();
        assertThat(validity.advanceTo(Times.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void endIsLoweredBeforeShorteningRenewalIsSent() {
        validity.startRenewal(Times.at(1_000), SHORT);

        assertThat(validity.isHeldAt(Times.at(2_998))).isTrue();
        assertThat(validity.isHeldAt(Times.at(2_999))).isFalse();
    }

    @Test
    void endIsNotRaisedBeforeResponse() {
        validity.startRenewal(Times.at(1_000), LONG);

        assertThat(validity.isHeldAt(Times.at(9_994))).isTrue();
        assertThat(validity.isHeldAt(Times.at(9_995))).isFalse();
    }

    @Test
    void responseToNewestRenewalRaisesEnd() {
        PendingRenewal renewal = validity.startRenewal(Times.at(4_000), LEASE);

        validity.confirmed(renewal, Times.at(7_000));

        assertThat(validity.isHeldAt(Times.at(13_994))).isTrue();
        assertThat(validity.isHeldAt(Times.at(13_995))).isFalse();
    }

    @Test
    void responseToOlderRenewalNeverRaisesEnd() {
        PendingRenewal older = validity.startRenewal(Times.at(1_000), LONG);
        validity.startRenewal(Times.at(1_000), SHORT);

        validity.confirmed(older, Times.at(1_500));

        assertThat(validity.end()).isEqualTo(LeaseExpiry.after(Times.at(1_000), SHORT));
    }

    @Test
    void endStaysLoweredUntilNewestRenewalIsAnswered() {
        validity.startRenewal(Times.at(1_000), SHORT);
        PendingRenewal newest = validity.startRenewal(Times.at(2_000), LONG);

        assertThat(validity.end()).isEqualTo(LeaseExpiry.after(Times.at(1_000), SHORT));

        validity.confirmed(newest, Times.at(2_500));

        assertThat(validity.end()).isEqualTo(LeaseExpiry.after(Times.at(2_000), LONG));
    }

    @Test
    void endIsMinimumOfConfirmedAndLaterWrites() {
        PendingRenewal confirmed = validity.startRenewal(Times.at(1_000), LONG);
        validity.confirmed(confirmed, Times.at(1_100));

        validity.startRenewal(Times.at(2_000), Duration.ofSeconds(8));
        validity.startRenewal(Times.at(3_000), Duration.ofSeconds(5));
        validity.startRenewal(Times.at(4_000), Duration.ofSeconds(30));

        assertThat(validity.end()).isEqualTo(LeaseExpiry.after(Times.at(3_000), Duration.ofSeconds(5)));
    }

    @Test
    void overtakenRenewalTakesRowEnd() {
        long rowMillis = validity.end().commonMillis() - 3_000;

        validity.overtaken(rowMillis, Times.at(1_000));

        assertThat(validity.isHeldAt(Times.at(6_994))).isTrue();
        assertThat(validity.isHeldAt(Times.at(6_995))).isFalse();
    }

    @Test
    void laterRowEndDoesNotRaiseEnd() {
        LeaseExpiry before = validity.end();

        validity.overtaken(before.commonMillis() + 60_000, Times.at(1_000));

        assertThat(validity.end()).isEqualTo(before);
    }

    @Test
    void wallClockSetBackAnHourChangesNothing() {
        assertThat(validity.isHeldAt(Times.at(9_994, HOUR_BACK, LeaseTime.SYSTEM)))
                .isTrue();
        assertThat(validity.isHeldAt(Times.at(9_995, HOUR_BACK, LeaseTime.SYSTEM)))
                .isFalse();
    }

    @Test
    void expiredLeaseStaysExpiredIfWallClockIsSetBack() {
        ClockReading asleep = Times.at(1_000, Duration.ofSeconds(30), LeaseTime.SYSTEM);

        assertThat(validity.isHeldAt(asleep)).isFalse();

        assertThat(validity.isHeldAt(Times.at(1_001))).isFalse();
        assertThat(validity.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void responseAfterEndDoesNotReviveLease() {
        PendingRenewal renewal = validity.startRenewal(Times.at(9_000), LEASE);

        validity.confirmed(renewal, Times.at(9_995));

        assertThat(validity.isHeldAt(Times.at(10_001))).isFalse();
        assertThat(validity.end()).isEqualTo(LeaseExpiry.after(Times.at(0), LEASE));
    }

    @Test
    void isAtRiskFromFirstFailureUntilNewestRenewalSucceeds() {
        validity.startRenewal(Times.at(1_000), LEASE);
        boolean firstIsNews = validity.failed(Times.at(1_100));
        PendingRenewal second = validity.startRenewal(Times.at(2_000), LEASE);
        boolean secondIsNews = validity.failed(Times.at(2_100));

        assertThat(firstIsNews).isTrue();
        assertThat(secondIsNews).isFalse();
        assertThat(validity.advanceTo(Times.at(2_100))).isEqualTo(LeaseState.AT_RISK);
        assertThat(validity.isHeldAt(Times.at(2_100))).isTrue();

        validity.confirmed(second, Times.at(2_200));

        assertThat(validity.advanceTo(Times.at(2_200))).isEqualTo(LeaseState.HELD);
    }

    @Test
    void responseToOlderRenewalDoesNotEndRisk() {
        PendingRenewal older = validity.startRenewal(Times.at(1_000), LEASE);
        validity.startRenewal(Times.at(2_000), LEASE);
        validity.failed(Times.at(2_100));

        validity.confirmed(older, Times.at(2_200));

        assertThat(validity.advanceTo(Times.at(2_200))).isEqualTo(LeaseState.AT_RISK);
    }

    @Test
    void failureAfterEndReportsNoRisk() {
        boolean news = validity.failed(Times.at(9_995));

        assertThat(news).isFalse();
        assertThat(validity.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void atRiskLeaseIsLostAtItsEnd() {
        validity.failed(Times.at(1_000));

        assertThat(validity.advanceTo(Times.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void renewalsAreNumberedInSendOrder() {
        PendingRenewal first = validity.startRenewal(Times.at(1_000), LEASE);
        PendingRenewal second = validity.startRenewal(Times.at(1_000), SHORT);

        assertThat(first)
                .isEqualTo(new PendingRenewal(1, Times.at(1_000), LeaseExpiry.after(Times.at(1_000), LEASE), LEASE));
        assertThat(second)
                .isEqualTo(new PendingRenewal(2, Times.at(1_000), LeaseExpiry.after(Times.at(1_000), SHORT), SHORT));
    }

    @Test
    void isLostBeforeItsEndUnlessRenewedOrReleased() {
        LeaseValidity released = new LeaseValidity(validity.end());
        long end = validity.end().nanos();
        validity.confirmed(validity.startRenewal(Times.at(1_000), LEASE), Times.at(1_500));

        assertThat(validity.expire(end)).isFalse();
        assertThat(validity.state()).isEqualTo(LeaseState.HELD);
        assertThat(validity.expire(validity.end().nanos())).isTrue();
        assertThat(validity.state()).isEqualTo(LeaseState.LOST);
        assertThat(released.release(Times.at(1_000))).isTrue();
        assertThat(released.expire(end)).isFalse();
        assertThat(released.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void releasedLeaseIsNeitherHeldNorLost() {
        PendingRenewal underWay = validity.startRenewal(Times.at(1_000), LEASE);

        validity.release(Times.at(0));
        validity.confirmed(underWay, Times.at(1_100));

        assertThat(validity.isHeldAt(Times.at(1_200))).isFalse();
        assertThat(validity.advanceTo(Times.at(60_000))).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void failureAfterReleaseIsIgnored() {
        validity.release(Times.at(0));

        assertThat(validity.failed(Times.at(1_000))).isFalse();
        assertThat(validity.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void onlyDetachedLeaseIsHandedOutOrRecalled() {
        LeaseValidity released = new LeaseValidity(LeaseExpiry.after(Times.at(0), LEASE));
        released.detach();
        released.release(Times.at(1_000));
        released.handOut();
        released.recall();
        assertThat(released.isHandedOut()).isFalse();
        assertThat(released.state()).isEqualTo(LeaseState.RELEASED);

        LeaseValidity ended = new LeaseValidity(LeaseExpiry.after(Times.at(0), LEASE));
        ended.detach();
        ended.recall();
        assertThat(ended.state()).isEqualTo(LeaseState.LOST);

        validity.detach();
        validity.handOut();
        validity.recall();
        assertThat(validity.isHandedOut()).isTrue();
        assertThat(validity.state()).isEqualTo(LeaseState.DETACHED);
    }
}
