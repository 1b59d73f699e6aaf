/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaseTerm.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTermTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration HOUR_BACK = Duration.ofHours(-1);

    private final LeaseTerm term = new LeaseTerm(LeaseEnd.after(Moments.at(0), LEASE));

    @Test
    void holdsUntilTheEndThatTheAcquisitionGave() {
        assertThat(term.isHeldAt(Moments.at(9_994))).isTrue();
        assertThat(term.stateAt(Moments.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void isLoweredBeforeAShorteningRenewalIsSent() {
        term.startRenewal(Moments.at(1_000), SHORT);

        assertThat(term.isHeldAt(Moments.at(2_998))).isTrue();
        assertThat(term.isHeldAt(Moments.at(2_999))).isFalse();
    }

    @Test
    void isNotRaisedBeforeTheAnswer() {
        term.startRenewal(Moments.at(1_000), LONG);

        assertThat(term.isHeldAt(Moments.at(9_994))).isTrue();
        assertThat(term.isHeldAt(Moments.at(9_995))).isFalse();
    }

    @Test
    void isRaisedByTheAnswerToTheNewestRenewalCountedFromBeforeItWasSent() {
        Renewal renewal = term.startRenewal(Moments.at(4_000), LEASE);

        term.confirmed(renewal, Moments.at(7_000));

        assertThat(term.isHeldAt(Moments.at(13_994))).isTrue();
        assertThat(term.isHeldAt(Moments.at(13_995))).isFalse();
    }

    @Test
    void isNeverRaisedByAnAnswerToAnOlderRenewal() {
        Renewal older = term.startRenewal(Moments.at(1_000), LONG);
        term.startRenewal(Moments.at(1_000), SHORT);

        term.confirmed(older, Moments.at(1_500));

        assertThat(term.end()).isEqualTo(LeaseEnd.after(Moments.at(1_000), SHORT));
    }

    @Test
    void staysLoweredUntilTheNewestOfSeveralRenewalsIsAnswered() {
        term.startRenewal(Moments.at(1_000), SHORT);
        Renewal newest = term.startRenewal(Moments.at(2_000), LONG);

        assertThat(term.end()).isEqualTo(LeaseEnd.after(Moments.at(1_000), SHORT));

        term.confirmed(newest, Moments.at(2_500));

        assertThat(term.end()).isEqualTo(LeaseEnd.after(Moments.at(2_000), LONG));
    }

    @Test
    void isTheMinimumOfTheConfirmedWriteAndOfEveryLaterOne() {
        Renewal confirmed = term.startRenewal(Moments.at(1_000), LONG);
        term.confirmed(confirmed, Moments.at(1_100));

        term.startRenewal(Moments.at(2_000), Duration.ofSeconds(8));
        term.startRenewal(Moments.at(3_000), Duration.ofSeconds(5));
        term.startRenewal(Moments.at(4_000), Duration.ofSeconds(30));

        assertThat(term.end()).isEqualTo(LeaseEnd.after(Moments.at(3_000), Duration.ofSeconds(5)));
    }

    @Test
    void takesTheRowsEndWhenARenewalWasOvertaken() {
        long rowMillis = term.end().commonMillis() - 3_000;

        term.overtaken(rowMillis, Moments.at(1_000));

        assertThat(term.isHeldAt(Moments.at(6_994))).isTrue();
        assertThat(term.isHeldAt(Moments.at(6_995))).isFalse();
    }

    @Test
    void isNotRaisedByARowThatEndsLater() {
        LeaseEnd before = term.end();

        term.overtaken(before.commonMillis() + 60_000, Moments.at(1_000));

        assertThat(term.end()).isEqualTo(before);
    }

    @Test
    void aWallClockSetBackAnHourChangesNothing() {
        assertThat(term.isHeldAt(Moments.at(9_994, HOUR_BACK, LeaseTime.SYSTEM)))
                .isTrue();
        assertThat(term.isHeldAt(Moments.at(9_995, HOUR_BACK, LeaseTime.SYSTEM)))
                .isFalse();
    }

    @Test
    void onceOverStaysOverAlthoughTheWallClockIsSetBackAfterwards() {
        ClockReading asleep = Moments.at(1_000, Duration.ofSeconds(30), LeaseTime.SYSTEM);

        assertThat(term.isHeldAt(asleep)).isFalse();

        assertThat(term.isHeldAt(Moments.at(1_001))).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void anAnswerThatComesAfterTheEndDoesNotReviveIt() {
        Renewal renewal = term.startRenewal(Moments.at(9_000), LEASE);

        term.confirmed(renewal, Moments.at(9_995));

        assertThat(term.isHeldAt(Moments.at(10_001))).isFalse();
        assertThat(term.end()).isEqualTo(LeaseEnd.after(Moments.at(0), LEASE));
    }

    @Test
    void isAtRiskFromTheFirstFailureUntilTheNewestRenewalSucceeds() {
        term.startRenewal(Moments.at(1_000), LEASE);
        boolean firstIsNews = term.failed(Moments.at(1_100));
        Renewal second = term.startRenewal(Moments.at(2_000), LEASE);
        boolean secondIsNews = term.failed(Moments.at(2_100));

        assertThat(firstIsNews).isTrue();
        assertThat(secondIsNews).isFalse();
        assertThat(term.stateAt(Moments.at(2_100))).isEqualTo(LeaseState.AT_RISK);
        assertThat(term.isHeldAt(Moments.at(2_100))).isTrue();

        term.confirmed(second, Moments.at(2_200));

        assertThat(term.stateAt(Moments.at(2_200))).isEqualTo(LeaseState.HELD);
    }

    @Test
    void anAnswerToAnOlderRenewalDoesNotEndTheRisk() {
        Renewal older = term.startRenewal(Moments.at(1_000), LEASE);
        term.startRenewal(Moments.at(2_000), LEASE);
        term.failed(Moments.at(2_100));

        term.confirmed(older, Moments.at(2_200));

        assertThat(term.stateAt(Moments.at(2_200))).isEqualTo(LeaseState.AT_RISK);
    }

    @Test
    void aFailureAfterTheEndIsNotTheNewsOfARisk() {
        boolean news = term.failed(Moments.at(9_995));

        assertThat(news).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void isLostAtItsEndAlsoWhenItWasAtRisk() {
        term.failed(Moments.at(1_000));

        assertThat(term.stateAt(Moments.at(9_995))).isEqualTo(LeaseState.LOST);
    }

    @Test
    void renewalsAreNumberedAsTheyAreSent() {
        Renewal first = term.startRenewal(Moments.at(1_000), LEASE);
        Renewal second = term.startRenewal(Moments.at(1_000), SHORT);

        assertThat(first).isEqualTo(new Renewal(1, Moments.at(1_000), LeaseEnd.after(Moments.at(1_000), LEASE), LEASE));
        assertThat(second)
                .isEqualTo(new Renewal(2, Moments.at(1_000), LeaseEnd.after(Moments.at(1_000), SHORT), SHORT));
    }

    @Test
    void whatWasReleasedIsNotHeldAndIsNeverLost() {
        Renewal underWay = term.startRenewal(Moments.at(1_000), LEASE);

        term.giveBack(Moments.at(0));
        term.confirmed(underWay, Moments.at(1_100));

        assertThat(term.isHeldAt(Moments.at(1_200))).isFalse();
        assertThat(term.stateAt(Moments.at(60_000))).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void aFailureAfterTheReleaseIsNoNews() {
        term.giveBack(Moments.at(0));

        assertThat(term.failed(Moments.at(1_000))).isFalse();
        assertThat(term.state()).isEqualTo(LeaseState.RELEASED);
    }
}
