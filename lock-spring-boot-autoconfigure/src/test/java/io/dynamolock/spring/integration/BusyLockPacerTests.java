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
class BusyLockPacerTests {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000); // overflows during the test
    private final BusyLockPacer pacer = new BusyLockPacer(now::get);

    private void pass(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void onlyWaitsOfAboutAHeartbeatArePaced() {
        assertThat(BusyLockPacer.isPaced(Duration.ofMillis(499))).isFalse();
        assertThat(BusyLockPacer.isPaced(Duration.ofMillis(500))).isTrue();
        assertThat(BusyLockPacer.isPaced(Duration.ofSeconds(1))).isTrue();
        assertThat(BusyLockPacer.isPaced(Duration.ofMillis(1_001))).isFalse();
    }

    @Test
    void busyLockIsKnownToThoseWhoTryAgainSoon() {
        assertThat(pacer.isKnown("job")).isFalse();

        pacer.foundBusy("job", "lease");
        pass(250);

        assertThat(pacer.isKnown("job")).isTrue();
        assertThat(pacer.isKnown("other")).isFalse();
        pass(1);
        assertThat(pacer.isKnown("job")).isFalse();
    }

    @Test
    void turnComesASecondAfterALookAtALongHold() throws Exception {
        pacer.foundBusy("job", "lease");
        assertThat(pacer.awaitTurn("job", now.get())).isTrue();
        assertThat(pacer.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(400);

        pass(400);
        assertThat(pacer.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(1_000);
        pass(1_000);
        assertThat(pacer.isStillHeldBy("job", "lease")).isTrue();
        assertTurnIsIn(1_000);
    }

    private void assertTurnIsIn(long millis) throws InterruptedException {
        pass(millis - 10);
        assertThat(pacer.awaitTurn("job", now.get() + 5_000_000)).isFalse();
        assertThat(pacer.awaitTurn("job", now.get() + 20_000_000)).isTrue();
        pass(10 - millis);
    }

    @Test
    void otherLeaseIsAwaitedInsteadOfPaced() {
        pacer.foundBusy("job", "lease");

        assertThat(pacer.isStillHeldBy("job", "next")).isFalse();
        assertThat(pacer.isStillHeldBy("job", null)).isFalse();
        assertThat(pacer.isStillHeldBy("other", "lease")).isFalse();
    }

    @Test
    void numberOfNamesIsBounded() {
        for (int i = 0; i < 2 * BusyLockPacer.MAX_NAMES; i++) {
            pacer.foundBusy("job-" + i, "lease");
        }
        assertThat(pacer.size()).isEqualTo(BusyLockPacer.MAX_NAMES);

        pass(2_000);
        pacer.foundBusy("job", "lease");
        assertThat(pacer.size()).isOne();
    }

    @Test
    void namesThatNobodyTriesAreForgotten() {
        pacer.foundBusy("job", "lease");
        pacer.removeUnused();
        assertThat(pacer.size()).isOne();

        pass(2_000);
        pacer.removeUnused();
        assertThat(pacer.size()).isZero();
    }
}
