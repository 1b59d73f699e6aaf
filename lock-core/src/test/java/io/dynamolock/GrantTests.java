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

class GrantTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void countsFromBeforeTheRequest() {
        Grant grant = grant(null, null);

        assertThat(grant.acquiredAt()).isEqualTo(Instant.ofEpochMilli(Moments.START_MILLIS));
        assertThat(grant.heldFor(Moments.nanos(12_000))).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void isRenewableWithoutALimitUnlessThereIsOne() {
        Grant grant = grant(null, null);

        assertThat(grant.leftToHold(Moments.nanos(1_000_000_000))).isNull();
        assertThat(grant.renewable(LEASE, Moments.nanos(1_000_000_000))).isEqualTo(LEASE);
    }

    @Test
    void noRenewalReachesBeyondTheLongestHold() {
        Grant grant = grant(Duration.ofSeconds(60), null);

        assertThat(grant.renewable(LEASE, Moments.nanos(29_000))).isEqualTo(LEASE);
        assertThat(grant.renewable(LEASE, Moments.nanos(50_000))).isEqualTo(Duration.ofSeconds(10));
        assertThat(grant.renewable(LEASE, Moments.nanos(60_000))).isZero();
        assertThat(grant.renewable(LEASE, Moments.nanos(61_000))).isNegative();
    }

    @Test
    void tellsWhatIsLeftOfTheLongestHold() {
        assertThat(grant(Duration.ofSeconds(60), null).leftToHold(Moments.nanos(20_000)))
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void staysTakenForWhatIsLeftOfTheShortestHold() {
        Grant grant = grant(null, Duration.ofSeconds(60));

        assertThat(grant.leftToKeep(Moments.nanos(20_000))).isEqualTo(Duration.ofSeconds(40));
        assertThat(grant.leftToKeep(Moments.nanos(70_000))).isNegative();
    }

    @Test
    void needNotStayTakenUnlessAsked() {
        assertThat(grant(Duration.ofSeconds(60), null).leftToKeep(Moments.nanos(0)))
                .isZero();
    }

    private static Grant grant(@Nullable Duration maxHold, @Nullable Duration minHold) {
        ClockReading sent = Moments.at(0);
        return new Grant(
                "job",
                "app/job",
                "a",
                "me",
                7,
                Map.of(),
                LEASE,
                sent,
                LeaseEnd.after(sent, LEASE),
                true,
                maxHold,
                minHold,
                OnLost.EVENT);
    }
}
