/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LeaseGrantTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void countsFromBeforeRequest() {
        LeaseGrant grant = grant(null, null);

        assertThat(grant.acquiredAt()).isEqualTo(Instant.ofEpochMilli(Times.START_MILLIS));
        assertThat(grant.heldFor(Times.nanos(12_000))).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void isRenewableWithoutLimitByDefault() {
        LeaseGrant grant = grant(null, null);

        assertThat(grant.remainingMaxHold(Times.nanos(1_000_000_000))).isNull();
        assertThat(grant.renewableDuration(LEASE, Times.nanos(1_000_000_000))).isEqualTo(LEASE);
    }

    @Test
    void renewalsNeverExceedMaxHold() {
        LeaseGrant grant = grant(Duration.ofSeconds(60), null);

        assertThat(grant.renewableDuration(LEASE, Times.nanos(29_000))).isEqualTo(LEASE);
        assertThat(grant.renewableDuration(LEASE, Times.nanos(50_000))).isEqualTo(Duration.ofSeconds(10));
        assertThat(grant.renewableDuration(LEASE, Times.nanos(60_000))).isZero();
        assertThat(grant.renewableDuration(LEASE, Times.nanos(61_000))).isNegative();
    }

    @Test
    void returnsRemainingMaxHold() {
        assertThat(grant(Duration.ofSeconds(60), null).remainingMaxHold(Times.nanos(20_000)))
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void staysHeldForRemainingMinHold() {
        LeaseGrant grant = grant(null, Duration.ofSeconds(60));

        assertThat(grant.remainingMinHold(Times.nanos(20_000))).isEqualTo(Duration.ofSeconds(40));
        assertThat(grant.remainingMinHold(Times.nanos(70_000))).isNegative();
    }

    @Test
    void hasNoMinHoldByDefault() {
        assertThat(grant(Duration.ofSeconds(60), null).remainingMinHold(Times.nanos(0)))
                .isZero();
    }

    private static LeaseGrant grant(@Nullable Duration maxHold, @Nullable Duration minHold) {
        ClockReading sent = Times.at(0);
        return new LeaseGrant(
                "job",
                "app/job",
                "a",
                "me",
                7,
                Map.of(),
                LEASE,
                sent,
                LeaseExpiry.after(sent, LEASE),
                true,
                maxHold,
                minHold,
                OnLost.EVENT);
    }
}
