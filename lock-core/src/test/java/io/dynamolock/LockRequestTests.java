/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LockRequest request = LockRequest.of("job");

    @Test
    void leavesEverythingToTheManagerAtFirst() {
        assertThat(request)
                .isEqualTo(new LockRequest("job", null, null, true, null, null, null, Map.of(), false, null));
    }

    @Test
    void eachMethodSaysOneThingMore() {
        LockRequest all = request.leaseDuration(SECOND)
                .waitTime(SECOND.multipliedBy(2))
                .autoRenew(false)
                .maxHold(SECOND.multipliedBy(4))
                .minHold(SECOND.multipliedBy(3))
                .owner("me")
                .metadata(Map.of("a", "b"))
                .reentrant(true)
                .onLost(OnLost.INTERRUPT);

        assertThat(all)
                .isEqualTo(new LockRequest(
                        "job",
                        SECOND,
                        SECOND.multipliedBy(2),
                        false,
                        SECOND.multipliedBy(4),
                        SECOND.multipliedBy(3),
                        "me",
                        Map.of("a", "b"),
                        true,
                        OnLost.INTERRUPT));
    }

    @Test
    void eachMethodKeepsWhatWasSaidBefore() {
        LockRequest all = new LockRequest(
                "job",
                SECOND,
                SECOND.multipliedBy(2),
                false,
                SECOND.multipliedBy(4),
                SECOND.multipliedBy(3),
                "me",
                Map.of("a", "b"),
                true,
                OnLost.INTERRUPT);

        assertThat(all.leaseDuration(SECOND)
                        .waitTime(SECOND.multipliedBy(2))
                        .autoRenew(false)
                        .maxHold(SECOND.multipliedBy(4))
                        .minHold(SECOND.multipliedBy(3))
                        .owner("me")
                        .metadata(Map.of("a", "b"))
                        .reentrant(true)
                        .onLost(OnLost.INTERRUPT))
                .isEqualTo(all);
    }

    @Test
    void givesACopyAndStaysAsItWas() {
        LockRequest changed = request.waitTime(SECOND);

        assertThat(changed).isNotEqualTo(request);
        assertThat(request.waitTime()).isNull();
    }

    @Test
    void copiesTheMetadata() {
        Map<String, String> mine = new HashMap<>(Map.of("a", "b"));
        LockRequest described = request.metadata(mine);

        mine.put("c", "d");

        assertThat(described.metadata()).containsOnly(Map.entry("a", "b"));
        assertThat(described.metadata()).isUnmodifiable();
    }

    @Test
    @SuppressWarnings("NullAway")
    void refusesNullAndEmptyNames() {
        String none = null;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(none))
                .withMessageContaining("null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(""))
                .withMessageContaining("empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999S", "P366D", "PT2562047788015215H"})
    void refusesALeaseAndALongestHoldThatMakeNoSense(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.leaseDuration(duration))
                .withMessageContaining("leaseDuration")
                .withMessageContaining(duration.toString());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.maxHold(duration))
                .withMessageContaining("maxHold");
    }

    @Test
    void refusesNegativeTimes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.waitTime(SECOND.negated()))
                .withMessageContaining("waitTime");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.minHold(SECOND.negated()))
                .withMessageContaining("minHold");
    }

    @Test
    void acceptsAWaitTimeOfZeroAndOneWithoutEnd() {
        assertThat(request.waitTime(Duration.ZERO).waitTime()).isZero();
        assertThat(request.waitTime(Duration.ofSeconds(Long.MAX_VALUE)).waitTime())
                .isEqualTo(Duration.ofSeconds(Long.MAX_VALUE));
    }

    @Test
    void refusesAShortestHoldThatExceedsTheLongestOne() {
        LockRequest limited = request.maxHold(SECOND);

        assertThat(limited.minHold(SECOND).minHold()).isEqualTo(SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.minHold(SECOND.plusNanos(1)))
                .withMessageContaining("minHold")
                .withMessageContaining("maxHold");
    }

    @Test
    void refusesAnAbsurdlyLongShortestHold() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("job").minHold(absurd))
                .withMessageContaining("minHold");
    }
}
