/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final LockRequest request = LockRequest.of("job");

    @Test
    void defaultsToManagerSettings() {
        assertThat(request.name()).isEqualTo("job");
        assertThat(request.leaseDuration()).isNull();
        assertThat(request.waitTime()).isNull();
        assertThat(request.autoRenew()).isTrue();
        assertThat(request.maxHold()).isNull();
        assertThat(request.minHold()).isNull();
        assertThat(request.owner()).isNull();
        assertThat(request.metadata()).isEmpty();
        assertThat(request.reentrant()).isFalse();
        assertThat(request.onLost()).isEqualTo(OnLost.DEFAULT);
    }

    private static LockRequest everything() {
        return LockRequest.of("job")
                .leaseDuration(SECOND)
                .waitTime(SECOND.multipliedBy(2))
                .autoRenew(false)
                .maxHold(SECOND.multipliedBy(4))
                .pollMin(SECOND.dividedBy(2))
                .pollMax(SECOND)
                .minHold(SECOND.multipliedBy(3))
                .owner("me")
                .metadata(Map.of("a", "b"))
                .reentrant(true)
                .onLost(OnLost.INTERRUPT);
    }

    @Test
    void eachMethodSetsOneOption() {
        LockRequest all = everything();

        assertThat(all.name()).isEqualTo("job");
        assertThat(all.leaseDuration()).isEqualTo(SECOND);
        assertThat(all.waitTime()).isEqualTo(SECOND.multipliedBy(2));
        assertThat(all.autoRenew()).isFalse();
        assertThat(all.maxHold()).isEqualTo(SECOND.multipliedBy(4));
        assertThat(all.pollMin()).isEqualTo(SECOND.dividedBy(2));
        assertThat(all.pollMax()).isEqualTo(SECOND);
        assertThat(all.minHold()).isEqualTo(SECOND.multipliedBy(3));
        assertThat(all.owner()).isEqualTo("me");
        assertThat(all.metadata()).isEqualTo(Map.of("a", "b"));
        assertThat(all.reentrant()).isTrue();
        assertThat(all.onLost()).isEqualTo(OnLost.INTERRUPT);
    }

    @Test
    void eachMethodKeepsOtherOptions() {
        assertThat(everything().name("job").onLost(OnLost.INTERRUPT)).isEqualTo(everything());
        assertThat(everything().name("other").leaseDuration()).isEqualTo(SECOND);
        assertThat(everything().name("other").onLost()).isEqualTo(OnLost.INTERRUPT);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void eachOptionAffectsEqualsAndToString(UnaryOperator<LockRequest> change) {
        LockRequest changed = change.apply(request);

        assertThat(changed)
                .isEqualTo(change.apply(request))
                .hasSameHashCodeAs(change.apply(request))
                .isNotEqualTo(request);
        assertThat(changed.toString()).isNotEqualTo(request.toString()).contains("name=");
    }

    static Stream<UnaryOperator<LockRequest>> changes() {
        return Stream.of(
                request -> request.name("other"),
                request -> request.names(List.of("job", "other")),
                request -> request.leaseDuration(SECOND),
                request -> request.waitTime(SECOND),
                request -> request.autoRenew(false),
                request -> request.maxHold(SECOND),
                request -> request.minHold(SECOND),
                request -> request.pollMin(SECOND),
                request -> request.pollMax(SECOND),
                request -> request.owner("me"),
                request -> request.metadata(Map.of("a", "b")),
                request -> request.reentrant(true),
                request -> request.onLost(OnLost.EVENT));
    }

    @Test
    void severalNamesAreSortedAndDistinct() {
        LockRequest several = LockRequest.ofAll(List.of("b", "a", "b"));

        assertThat(several.names()).containsExactly("a", "b").isUnmodifiable();
        assertThat(several.name()).isEqualTo("a");
        assertThat(several).isEqualTo(LockRequest.ofAll(Set.of("a", "b")));
        assertThat(everything().names(List.of("x", "job")).name("job")).isEqualTo(everything());
        assertThat(request.names()).containsExactly("job");
    }

    @Test
    void methodsReturnCopyAndLeaveOriginalUnchanged() {
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
    void rejectsNullEmptyAndBlankNames() {
        String none = null;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(none))
                .withMessageContaining("null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(""))
                .withMessageContaining("empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(" \t"))
                .withMessage("A lock name must not be blank, but is ' \\u0009'");
        assertThatIllegalArgumentException().isThrownBy(() -> request.name(" ")).withMessageContaining("blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999S", "P366D", "PT2562047788015215H"})
    void rejectsInvalidLeaseDurationAndMaxHold(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.leaseDuration(duration))
                .withMessageContaining("leaseDuration")
                .withMessageEndingWith("but is " + Durations.shown(duration));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.maxHold(duration))
                .withMessageContaining("maxHold");
    }

    @Test
    void rejectsNegativeDurations() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.waitTime(SECOND.negated()))
                .withMessageContaining("waitTime");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.minHold(SECOND.negated()))
                .withMessageContaining("minHold");
    }

    @Test
    void acceptsZeroAndUnlimitedWaitTime() {
        assertThat(request.waitTime(Duration.ZERO).waitTime()).isZero();
        assertThat(request.waitTime(Duration.ofSeconds(Long.MAX_VALUE)).waitTime())
                .isEqualTo(Duration.ofSeconds(Long.MAX_VALUE));
    }

    @Test
    void rejectsMinHoldAboveMaxHold() {
        LockRequest limited = request.maxHold(SECOND);

        assertThat(limited.minHold(SECOND).minHold()).isEqualTo(SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.minHold(SECOND.plusNanos(1)))
                .withMessageContaining("minHold")
                .withMessageContaining("maxHold");
    }

    @Test
    void rejectsPollMaxBelowPollMin() {
        LockRequest rare = request.pollMin(SECOND);

        assertThat(rare.pollMax(SECOND).pollMax()).isEqualTo(SECOND);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rare.pollMax(SECOND.minusNanos(1)))
                .withMessageContaining("pollMax must not be below pollMin");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request.pollMin(Duration.ZERO))
                .withMessageContaining("pollMin must be between 1 ms and 365 days");
    }

    @Test
    void rejectsTooLongMinHold() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of("job").minHold(absurd))
                .withMessageContaining("minHold");
    }
}
