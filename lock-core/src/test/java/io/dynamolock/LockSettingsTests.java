/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockSettingsTests {

    private static final Duration NEGATIVE = Duration.ofMillis(-1);
    private static final Duration ALMOST_NOTHING = Duration.ofNanos(999_999);

    /** Settings that differ from the defaults in what a test says. */
    private static final class Draft {
        private Duration leaseDuration = LockSettings.DEFAULTS.leaseDuration();
        private @Nullable Duration maxLeaseDuration;
        private Duration maxClockSkew = LockSettings.DEFAULTS.maxClockSkew();
        private Duration grace = LockSettings.DEFAULTS.grace();
        private @Nullable Duration heartbeatInterval;
        private int heartbeatThreads = LockSettings.DEFAULTS.heartbeatThreads();
        private Duration waitTime = LockSettings.DEFAULTS.waitTime();
        private Duration pollMin = LockSettings.DEFAULTS.pollMin();
        private Duration pollMax = LockSettings.DEFAULTS.pollMax();
        private @Nullable Duration attemptTimeout;
        private @Nullable Duration callTimeout;
        private Duration shutdownGrace = LockSettings.DEFAULTS.shutdownGrace();
    }

    private static LockSettings with(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return new LockSettings(
                draft.leaseDuration,
                draft.maxLeaseDuration,
                LeaseTime.SYSTEM,
                draft.maxClockSkew,
                draft.grace,
                draft.heartbeatInterval,
                draft.heartbeatThreads,
                draft.waitTime,
                draft.pollMin,
                draft.pollMax,
                draft.attemptTimeout,
                draft.callTimeout,
                "",
                draft.shutdownGrace,
                OnLost.EVENT,
                null);
    }

    @Test
    void hasTheDocumentedDefaults() {
        LockSettings defaults = LockSettings.DEFAULTS;

        assertThat(defaults.leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(defaults.maxLeaseDuration()).isNull();
        assertThat(defaults.maxClockSkew()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.grace()).isZero();
        assertThat(defaults.heartbeatIntervalFor(defaults.leaseDuration())).isEqualTo(Duration.ofSeconds(10));
        assertThat(defaults.waitTime()).isZero();
        assertThat(defaults.pollMin()).isEqualTo(Duration.ofMillis(50));
        assertThat(defaults.pollMax()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.namePrefix()).isEmpty();
        assertThat(defaults.shutdownGrace()).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nonsense")
    void refusesWhatMakesNoSenseByItsName(String rule, Consumer<Draft> change) {
        String setting = rule.substring(0, rule.indexOf(' '));

        assertThatIllegalArgumentException().isThrownBy(() -> with(change)).withMessageStartingWith(setting + " ");
    }

    static Stream<Arguments> nonsense() {
        return Stream.of(
                nonsense("leaseDuration zero", draft -> draft.leaseDuration = Duration.ZERO),
                nonsense("leaseDuration below a millisecond", draft -> draft.leaseDuration = ALMOST_NOTHING),
                nonsense("leaseDuration negative", draft -> draft.leaseDuration = NEGATIVE),
                nonsense("leaseDuration beyond a year", draft -> draft.leaseDuration = Duration.ofDays(366)),
                nonsense("leaseDuration above its limit", draft -> draft.maxLeaseDuration = Duration.ofSeconds(29)),
                nonsense("maxLeaseDuration zero", draft -> draft.maxLeaseDuration = Duration.ZERO),
                nonsense("maxLeaseDuration beyond a year", draft -> draft.maxLeaseDuration = Duration.ofDays(366)),
                nonsense("maxClockSkew negative", draft -> draft.maxClockSkew = NEGATIVE),
                nonsense("grace negative", draft -> draft.grace = NEGATIVE),
                nonsense("heartbeatInterval below a millisecond", draft -> draft.heartbeatInterval = ALMOST_NOTHING),
                nonsense(
                        "heartbeatInterval above half the lease",
                        draft -> draft.heartbeatInterval = Duration.ofMillis(15_001)),
                nonsense("heartbeatThreads none", draft -> draft.heartbeatThreads = 0),
                nonsense("waitTime negative", draft -> draft.waitTime = NEGATIVE),
                nonsense("pollMin zero", draft -> draft.pollMin = Duration.ZERO),
                nonsense("pollMax below pollMin", draft -> draft.pollMax = Duration.ofMillis(49)),
                nonsense("attemptTimeout zero", draft -> draft.attemptTimeout = Duration.ZERO),
                nonsense(
                        "attemptTimeout above half the lease",
                        draft -> draft.attemptTimeout = Duration.ofMillis(15_001)),
                nonsense("attemptTimeout above callTimeout", draft -> {
                    draft.attemptTimeout = Duration.ofSeconds(6);
                    draft.callTimeout = Duration.ofSeconds(5);
                }),
                nonsense("callTimeout zero", draft -> draft.callTimeout = Duration.ZERO),
                nonsense("callTimeout above the lease", draft -> draft.callTimeout = Duration.ofMillis(30_001)),
                nonsense("shutdownGrace negative", draft -> draft.shutdownGrace = NEGATIVE));
    }

    private static Arguments nonsense(String rule, Consumer<Draft> change) {
        return Arguments.of(rule, change);
    }

    @Test
    void acceptsEveryLimitItself() {
        LockSettings settings = with(draft -> {
            draft.maxLeaseDuration = Duration.ofSeconds(30);
            draft.heartbeatInterval = Duration.ofSeconds(15);
            draft.heartbeatThreads = 1;
            draft.pollMax = draft.pollMin;
            draft.attemptTimeout = Duration.ofSeconds(15);
            draft.callTimeout = Duration.ofSeconds(30);
        });

        assertThat(settings.heartbeatInterval()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void beatsEveryThirdOfTheLease() {
        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(Duration.ofSeconds(3)))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(Duration.ofMillis(1)))
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void beatsAsOftenAsToldButOftenEnoughForAShorterLease() {
        LockSettings told = with(draft -> draft.heartbeatInterval = Duration.ofSeconds(15));

        assertThat(told.heartbeatIntervalFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(15));
        assertThat(told.heartbeatIntervalFor(Duration.ofMinutes(5))).isEqualTo(Duration.ofSeconds(15));
        assertThat(told.heartbeatIntervalFor(Duration.ofSeconds(29)))
                .isEqualTo(Duration.ofSeconds(29).dividedBy(3));
    }

    @Test
    void anAttemptTakesAFittingPartOfTheLease() {
        LockSettings settings = LockSettings.DEFAULTS;

        assertThat(settings.attemptTimeoutFor(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.attemptTimeoutFor(Duration.ofMillis(2_500))).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.attemptTimeoutFor(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void twoAttemptsFitIntoWhatIsLeftWhenARenewalIsDue() {
        for (Duration lease : List.of(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofMinutes(1))) {
            Duration left = lease.minus(LockSettings.DEFAULTS.heartbeatIntervalFor(lease));

            assertThat(LockSettings.DEFAULTS.attemptTimeoutFor(lease).multipliedBy(2))
                    .isLessThanOrEqualTo(left.plusMillis(1));
        }
    }

    @Test
    void anAttemptTakesAsLongAsToldButFitsIntoAShorterLease() {
        LockSettings told = with(draft -> draft.attemptTimeout = Duration.ofSeconds(8));

        assertThat(told.attemptTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(8));
        assertThat(told.attemptTimeoutFor(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aCallWithAllItsRetriesEndsWellInsideTheLease() {
        LockSettings settings = LockSettings.DEFAULTS;

        assertThat(settings.callTimeoutFor(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.callTimeoutFor(Duration.ofSeconds(8))).isEqualTo(Duration.ofSeconds(4));
        assertThat(settings.callTimeoutFor(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void aCallTakesAsLongAsToldButNotLongerThanTheLeaseNorLessThanAnAttempt() {
        LockSettings told = with(draft -> draft.callTimeout = Duration.ofSeconds(20));
        LockSettings hasty = with(draft -> draft.callTimeout = Duration.ofSeconds(1));

        assertThat(told.callTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(20));
        assertThat(told.callTimeoutFor(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(4));
        assertThat(hasty.callTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void refusesAbsurdlyLongTimesByTheirNames() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);
        LockManager.Builder locks = LockManager.builder(new io.dynamolock.memory.InMemoryLockStore());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.maxClockSkew(absurd).build())
                .withMessageStartingWith("maxClockSkew");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> locks.maxClockSkew(Duration.ZERO).grace(absurd).build())
                .withMessageStartingWith("grace");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> locks.grace(Duration.ZERO).leaseDuration(absurd).build())
                .withMessageStartingWith("leaseDuration");
    }

    @Test
    void refuseRequestsThatCanNeverBeServed() {
        LockSettings limited = LockManager.builder(new InMemoryLockStore())
                .maxLeaseDuration(Duration.ofMinutes(1))
                .namePrefix("x".repeat(2_040))
                .build()
                .settings()
                .orElseThrow();

        limited.requireFit(LockRequest.of("job").leaseDuration(Duration.ofMinutes(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.requireFit(LockRequest.of("job").leaseDuration(Duration.ofSeconds(61))))
                .withMessageContaining("leaseDuration (PT1M1S) of lock 'job' must not exceed maxLeaseDuration (PT1M)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.requireFit(LockRequest.of("job-number-9")))
                .withMessageContaining("2,048 bytes");
    }
}
