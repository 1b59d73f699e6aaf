/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoreAvailabilityTests {

    private final StoreAvailability availability = new StoreAvailability();

    @Test
    void storeIsUnavailableAfterTenConsecutiveFailures() {
        fail(9);
        boolean before = availability.isDown();

        fail(1);

        assertThat(before).isFalse();
        assertThat(availability.isDown()).isTrue();
    }

    @Test
    void failuresOfOneLockAreNotAnOutage() {
        for (int i = 0; i < 1_000; i++) {
            fail(9);
            assertThat(availability.answered()).isFalse();
        }

        assertThat(availability.isDown()).isFalse();
    }

    @Test
    void partiallyHangingRequestsAreNotAnOutage() {
        response(10_000);
        long sent = availability.responses();
        availability.answered();

        for (int i = 0; i < 100; i++) {
            availability.failed(sent);
        }

        assertThat(availability.isDown()).isFalse();
        assertThat(availability.concurrencyLimit()).isEqualTo(64);
    }

    @Test
    void firstResponseEndsOutageOnce() {
        fail(1_000);

        assertThat(availability.answered()).isTrue();
        assertThat(availability.answered()).isFalse();
        assertThat(availability.isDown()).isFalse();
    }

    @Test
    void responsesRaiseConcurrency() {
        int atFirst = availability.concurrencyLimit();

        response(atFirst);
        int soon = availability.concurrencyLimit();
        response(10_000);

        assertThat(atFirst).isEqualTo(8);
        assertThat(soon).isEqualTo(9);
        assertThat(availability.concurrencyLimit()).isEqualTo(64);
    }

    @Test
    void rejectionsDoNotRaiseConcurrency() {
        IntStream.range(0, 10_000).forEach(unused -> availability.rejected());

        assertThat(availability.concurrencyLimit()).isEqualTo(8);
    }

    @Test
    void outageLowersConcurrency() {
        response(10_000);

        fail(10);

        assertThat(availability.concurrencyLimit()).isEqualTo(4);
    }

    private void fail(int times) {
        IntStream.range(0, times).forEach(unused -> availability.failed(availability.responses()));
    }

    private void response(int times) {
        IntStream.range(0, times).forEach(unused -> availability.answered());
    }

    @Test
    void concurrencyGrowsByOnePerFullyAnsweredRound() {
        response(8);
        response(8);
        int early = availability.concurrencyLimit();
        response(1);

        assertThat(early).isEqualTo(9);
        assertThat(availability.concurrencyLimit()).isEqualTo(10);
    }
}
