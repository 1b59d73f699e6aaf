/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseValidity.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseValidityTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration HOUR_BACK = Duration.ofHours(-1);

    private final LeaseValidity term = new LeaseValidity(LeaseExpiry.after(Times.at(0), LEASE));

    @Test
    void holdsUntilTheEndThatTheAcquisitionGave() {
        assertThat(term.isHeldAt(Times.at(9_994))).isTrue();
        assertThat(term.stateAt(Times.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void isLoweredBeforeAShorteningRenewalIsSent() {
        term.startRenewal(Times.at(1_000), SHORT);

        assertThat(term.isHeldAt(Times.at(2_998))).isTrue();
        assertThat(term.isHeldAt(Times.at(2_999))).isFalse();
    }

    @Test
    void isNotRaisedBeforeTheAnswer() {
        term.startRenewal(Times.at(1_000), LONG);

        assertThat(term.isHeldAt(Times.at(9_994))).isTrue();
        assertThat(term.isHeldAt(Times.at(9_995))).isFalse();
    }

    @Test
    void isRaisedByTheAnswerToTheNewestRenewalCountedFromBeforeItWasSent() {
        Renewal renewal = term.startRenewal(Times.at(4_000), LEASE);

        term.confirmed(renewal, Times.at(7_000));

        assertThat(term.isHeldAt(Times.at(13_994))).isTrue();
        assertThat(term.isHeldAt(Times.at(13_995))).isFalse();
    }

    @Test
    void isNeverRaisedByAnAnswerToAnOlderRenewal() {
        Renewal older = term.startRenewal(Times.at(1_000), LONG);
        term.startRenewal(Times.at(1_000), SHORT);

        term.confirmed(older, Times.at(1_500));

        assertThat(term.end()).isEqualTo(LeaseExpiry.after(Times.at(1_000), SHORT));
    }

    @Test
    void staysLoweredUntilTheNewestOfSeveralRenewalsIsAnswered() {
        term.startRenewal(Times.at(1_000), SHORT);
        Renewal newest = term.startRenewal(Times.at(2_000), LONG);

        assertThat(term.end()).isEqualTo(LeaseExpiry.after(Times.at(1_000), SHORT));

        term.confirmed(newest, Times.at(2_500));

        assertThat(term.end()).isEqualTo(LeaseExpiry.after(Times.at(2_000), LONG));
    }

    @Test
    void isTheMinimumOfTheConfirmedWriteAndOfEveryLaterOne() {
        Renewal confirmed = term.startRenewal(Times.at(1_000), LONG);
        term.confirmed(confirmed, Times.at(1_100));

        term.startRenewal(Times.at(2_000), Duration.ofSeconds(8));
        term.startRenewal(Times.at(3_000), Duration.ofSeconds(5));
        term.startRenewal(Times.at(4_000), Duration.ofSeconds(30));

        assertThat(term.end()).isEqualTo(LeaseExpiry.after(Times.at(3_000), Duration.ofSeconds(5)));
    }

    @Test
    void takesTheRowsEndWhenARenewalWasOvertaken() {
        long rowMillis = term.end().commonMillis() - 3_000;

        term.overtaken(rowMillis, Times.at(1_000));

        assertThat(term.isHeldAt(Times.at(6_994))).isTrue();
        assertThat(term.isHeldAt(Times.at(6_995))).isFalse();
    }

    @Test
    void isNotRaisedByARowThatEndsLater() {
        LeaseExpiry before = term.end();

        term.overtaken(before.commonMillis() + 60_000, Times.at(1_000));

        assertThat(term.end()).isEqualTo(before);
    }

    @Test
    void aWallClockSetBackAnHourChangesNothing() {
        assertThat(term.isHeldAt(Times.at(9_994, HOUR_BACK, LeaseTime.SYSTEM)))
                .isTrue();
        assertThat(term.isHeldAt(Times.at(9_995, HOUR_BACK, LeaseTime.SYSTEM)))
                .isFalse();
    }

    @Test
    void onceOverStaysOverAlthoughTheWallClockIsSetBackAfterwards() {
        ClockReading asleep = Times.at(1_000, Duration.ofSeconds(30), LeaseTime.SYSTEM);

        assertThat(term.isHeldAt(asleep)).isFalse();

        assertThat(term.isHeldAt(Times.at(1_001))).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void anAnswerThatComesAfterTheEndDoesNotReviveIt() {
        Renewal renewal = term.startRenewal(Times.at(9_000), LEASE);

        term.confirmed(renewal, Times.at(9_995));

        assertThat(term.isHeldAt(Times.at(10_001))).isFalse();
        assertThat(term.end()).isEqualTo(LeaseExpiry.after(Times.at(0), LEASE));
    }

    @Test
    void isAtRiskFromTheFirstFailureUntilTheNewestRenewalSucceeds() {
        term.startRenewal(Times.at(1_000), LEASE);
        boolean firstIsNews = term.failed(Times.at(1_100));
        Renewal second = term.startRenewal(Times.at(2_000), LEASE);
        boolean secondIsNews = term.failed(Times.at(2_100));

        assertThat(firstIsNews).isTrue();
        assertThat(secondIsNews).isFalse();
        assertThat(term.stateAt(Times.at(2_100))).isEqualTo(LeaseState.AT_RISK);
        assertThat(term.isHeldAt(Times.at(2_100))).isTrue();

        term.confirmed(second, Times.at(2_200));

        assertThat(term.stateAt(Times.at(2_200))).isEqualTo(LeaseState.HELD);
    }

    @Test
    void anAnswerToAnOlderRenewalDoesNotEndTheRisk() {
        Renewal older = term.startRenewal(Times.at(1_000), LEASE);
        term.startRenewal(Times.at(2_000), LEASE);
        term.failed(Times.at(2_100));

        term.confirmed(older, Times.at(2_200));

        assertThat(term.stateAt(Times.at(2_200))).isEqualTo(LeaseState.AT_RISK);
    }

    @Test
    void aFailureAfterTheEndIsNotTheNewsOfARisk() {
        boolean news = term.failed(Times.at(9_995));

        assertThat(news).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void isLostAtItsEndAlsoWhenItWasAtRisk() {
        term.failed(Times.at(1_000));

        assertThat(term.stateAt(Times.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void renewalsAreNumberedAsTheyAreSent() {
        Renewal first = term.startRenewal(Times.at(1_000), LEASE);
        Renewal second = term.startRenewal(Times.at(1_000), SHORT);

        assertThat(first).isEqualTo(new Renewal(1, Times.at(1_000), LeaseExpiry.after(Times.at(1_000), LEASE), LEASE));
        assertThat(second)
                .isEqualTo(new Renewal(2, Times.at(1_000), LeaseExpiry.after(Times.at(1_000), SHORT), SHORT));
    }

    @Test
    void whatWasReleasedIsNotHeldAndIsNeverLost() {
        Renewal underWay = term.startRenewal(Times.at(1_000), LEASE);

        term.giveBack(Times.at(0));
        term.confirmed(underWay, Times.at(1_100));

        assertThat(term.isHeldAt(Times.at(1_200))).isFalse();
        assertThat(term.stateAt(Times.at(60_000))).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void aFailureAfterTheReleaseIsNoNews() {
        term.giveBack(Times.at(0));

        assertThat(term.failed(Times.at(1_000))).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.RELEASED);
    }
}
