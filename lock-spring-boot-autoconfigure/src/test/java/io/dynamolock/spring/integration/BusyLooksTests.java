/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When callers look again at a busy lock. */
class BusyLooksTests {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000); // overflows during the test
    private final BusyLooks looks = new BusyLooks(now::get);

    private void pass(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void onlyWaitsOfAboutAHeartbeatArePaced() {
        assertThat(BusyLooks.isPaced(Duration.ofMillis(499))).isFalse();
        assertThat(BusyLooks.isPaced(Duration.ofMillis(500))).isTrue();
        assertThat(BusyLooks.isPaced(Duration.ofSeconds(1))).isTrue();
        assertThat(BusyLooks.isPaced(Duration.ofMillis(1_001))).isFalse();
    }

    @Test
    void busyLockIsKnownToThoseWhoTryAgainSoon() {
        assertThat(looks.isKnown("job")).isFalse();

        looks.foundBusy("job", "lease");
        pass(250);

        assertThat(looks.isKnown("job")).isTrue();
        assertThat(looks.isKnown("other")).isFalse();
        pass(1);
        assertThat(looks.isKnown("job")).isFalse();
    }

    @Test
    void turnComesASecondAfterALookAtALongHold() throws Exception {
        looks.foundBusy("job", "lease");
        assertThat(looks.awaitTurn("job", now.get())).isTrue();
        assertThat(looks.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(400);

        pass(400);
        assertThat(looks.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(1_000);
        pass(1_000);
        assertThat(looks.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(1_000);
    }

    private void assertTurnIsIn(long millis) throws InterruptedException {
        pass(millis - 10);
        assertThat(looks.awaitTurn("job", now.get() + 5_000_000)).isFalse();
        assertThat(looks.awaitTurn("job", now.get() + 20_000_000)).isTrue();
        pass(10 - millis);
    }

    @Test
    void otherLeaseIsAwaitedInsteadOfPaced() {
        looks.foundBusy("job", "lease");

        assertThat(looks.isStillHeldBy("job", "next")).isFalse();
        assertThat(looks.isStillHeldBy("job", null)).isFalse();
        assertThat(looks.isStillHeldBy("other", "lease")).isFalse();
    }

    @Test
    void numberOfNamesIsBounded() {
        for (int i = 0; i < 2 * BusyLooks.MOST_NAMES; i++) {
            looks.foundBusy("job-" + i, "lease");
        }
        assertThat(looks.size()).isEqualTo(BusyLooks.MOST_NAMES);

        pass(2_000);
        looks.foundBusy("job", "lease");
        assertThat(looks.size()).isOne();
    }

    @Test
    void namesThatNobodyTriesAreForgotten() {
        looks.foundBusy("job", "lease");
        looks.removeUnused();
        assertThat(looks.size()).isOne();

        pass(2_000);
        looks.removeUnused();
        assertThat(looks.size()).isZero();
    }
}
