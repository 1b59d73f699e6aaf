/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Result that is valid for a limited time. */
class CachedProbeTests {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final AtomicInteger asked = new AtomicInteger();
    private final CachedProbe<Integer> answer = new CachedProbe<>(
            ((InstantSource) now::get).withZone(ZoneOffset.UTC),
            Duration.ofSeconds(1),
            asked::incrementAndGet,
            Runnable::run);

    @Test
    void isAskedForAgainWhenItsTimeIsOver() {
        assertThat(answer.ask()).isCompletedWithValue(1);
        now.set(Instant.EPOCH.plusMillis(999));
        assertThat(answer.ask()).isCompletedWithValue(1);
        now.set(Instant.EPOCH.plusMillis(1_000));
        assertThat(answer.ask()).isCompletedWithValue(2);
    }

    @Test
    void isAskedForAgainIfTheClockIsSetBack() {
        assertThat(answer.ask()).isCompletedWithValue(1);

        now.set(Instant.EPOCH.minus(Duration.ofHours(1)));

        assertThat(answer.ask()).isCompletedWithValue(2);
    }
}
