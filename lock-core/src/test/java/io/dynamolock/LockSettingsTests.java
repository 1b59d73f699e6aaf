/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.memory.InMemoryLockStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockSettingsTests {

    private static final Duration NEGATIVE = Duration.ofMillis(-1);
    private static final Duration ALMOST_NOTHING = Duration.ofNanos(999_999);

    private static LockSettings with(UnaryOperator<LockSettings.Builder> change) {
        return change.apply(LockSettings.builder()).build();
    }

    @Test
    void hasTheDocumentedDefaults() {
        LockSettings defaults = LockSettings.DEFAULTS;

        assertThat(defaults.leaseDuration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(defaults.maxLeaseDuration()).isNull();
        assertThat(defaults.maxClockSkew()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.lockDelay()).isZero();
        assertThat(defaults.warnAfter()).isNull();
        assertThat(defaults.heartbeatThreads()).isEqualTo(24);
        assertThat(defaults.maxConcurrentRequests()).isEqualTo(16);
        assertThat(defaults.firstResponseTimeout()).isNull();
        assertThat(defaults.heartbeatIntervalFor(defaults.leaseDuration())).isEqualTo(Duration.ofSeconds(10));
        assertThat(defaults.waitTime()).isZero();
        assertThat(defaults.pollMin()).isEqualTo(Duration.ofMillis(50));
        assertThat(defaults.pollMax()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.namePrefix()).isEmpty();
        assertThat(defaults.shutdownGrace()).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nonsense")
    void rejectsInvalidSettingsByName(String rule, UnaryOperator<LockSettings.Builder> change) {
        String setting = rule.substring(0, rule.indexOf(' '));

        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> with(change))
                .withMessageStartingWith(setting + " ")
                .returns(setting, InvalidSettingException::setting);
    }

    static Stream<Arguments> nonsense() {
        return Stream.of(
                nonsense("leaseDuration zero", with -> with.leaseDuration(Duration.ZERO)),
                nonsense("leaseDuration below a millisecond", with -> with.leaseDuration(ALMOST_NOTHING)),
                nonsense("leaseDuration negative", with -> with.leaseDuration(NEGATIVE)),
                nonsense("leaseDuration beyond a year", with -> with.leaseDuration(Duration.ofDays(366))),
                nonsense("leaseDuration above its limit", with -> with.maxLeaseDuration(Duration.ofSeconds(29))),
                nonsense("maxLeaseDuration zero", with -> with.maxLeaseDuration(Duration.ZERO)),
                nonsense("maxLeaseDuration beyond a year", with -> with.maxLeaseDuration(Duration.ofDays(366))),
                nonsense("maxClockSkew negative", with -> with.maxClockSkew(NEGATIVE)),
                nonsense("lockDelay negative", with -> with.lockDelay(NEGATIVE)),
                nonsense("heartbeatInterval below a millisecond", with -> with.heartbeatInterval(ALMOST_NOTHING)),
                nonsense(
                        "heartbeatInterval above half the lease",
                        with -> with.heartbeatInterval(Duration.ofMillis(15_001))),
                nonsense("heartbeatThreads none", with -> with.heartbeatThreads(0)),
                nonsense("maxConcurrentRequests none", with -> with.maxConcurrentRequests(0)),
                nonsense("firstResponseTimeout zero", with -> with.firstResponseTimeout(Duration.ZERO)),
                nonsense("firstResponseTimeout beyond a year", with -> with.firstResponseTimeout(Duration.ofDays(366))),
                nonsense("warnAfter zero", with -> with.warnAfter(Duration.ZERO)),
                nonsense("warnAfter beyond a year", with -> with.warnAfter(Duration.ofDays(366))),
                nonsense("pollMax beyond a year", with -> with.pollMax(Duration.ofDays(366))),
                nonsense("waitTime negative", with -> with.waitTime(NEGATIVE)),
                nonsense("pollMin zero", with -> with.pollMin(Duration.ZERO)),
                nonsense("pollMax below pollMin", with -> with.pollMax(Duration.ofMillis(49))),
                nonsense("attemptTimeout zero", with -> with.attemptTimeout(Duration.ZERO)),
                nonsense("attemptTimeout above half the lease", with -> with.attemptTimeout(Duration.ofMillis(15_001))),
                nonsense(
                        "attemptTimeout above callTimeout",
                        with -> with.attemptTimeout(Duration.ofSeconds(6)).callTimeout(Duration.ofSeconds(5))),
                nonsense("callTimeout zero", with -> with.callTimeout(Duration.ZERO)),
                nonsense("callTimeout above the lease", with -> with.callTimeout(Duration.ofMillis(30_001))),
                nonsense("shutdownGrace negative", with -> with.shutdownGrace(NEGATIVE)),
                nonsense("namePrefix with a line break", with -> with.namePrefix("a\n")),
                nonsense("namePrefix without room for a name", with -> with.namePrefix("\u00fc".repeat(1_024))),
                nonsense("onLost as the settings define", with -> with.onLost(OnLost.DEFAULT)));
    }

    private static Arguments nonsense(String rule, UnaryOperator<LockSettings.Builder> change) {
        return Arguments.of(rule, change);
    }

    @Test
    void acceptsBoundaryValues() {
        LockSettings settings = with(with -> with.maxLeaseDuration(Duration.ofSeconds(30))
                .heartbeatInterval(Duration.ofSeconds(15))
                .heartbeatThreads(1)
                .maxConcurrentRequests(1)
                .pollMax(Duration.ofMillis(50))
                .attemptTimeout(Duration.ofSeconds(15))
                .callTimeout(Duration.ofSeconds(30))
                .firstResponseTimeout(Duration.ofMillis(1))
                .warnAfter(Duration.ofDays(365)));

        assertThat(settings.heartbeatInterval()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void renewsEveryThirdOfTheLease() {
        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(Duration.ofSeconds(3)))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(Duration.ofMillis(1)))
                .isEqualTo(Duration.ofMillis(1));
        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(Duration.ofMinutes(60)))
                .isEqualTo(Duration.ofMinutes(20));
    }

    @Test
    void heartbeatIntervalIsCappedForShorterLease() {
        LockSettings settings = with(with -> with.heartbeatInterval(Duration.ofSeconds(15)));

        assertThat(settings.heartbeatIntervalFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.heartbeatIntervalFor(Duration.ofMinutes(5))).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.heartbeatIntervalFor(Duration.ofSeconds(29)))
                .isEqualTo(Duration.ofSeconds(29).dividedBy(3));
    }

    @Test
    void longLeaseIsRenewedAtLeastEvery20Minutes() {
        Duration hours = Duration.ofHours(4);

        assertThat(LockSettings.DEFAULTS.heartbeatIntervalFor(hours)).isEqualTo(Duration.ofMinutes(20));
        assertThat(with(with -> with.leaseDuration(hours).heartbeatInterval(Duration.ofHours(2)))
                        .heartbeatIntervalFor(hours))
                .isEqualTo(Duration.ofMinutes(20));
    }

    @Test
    void attemptTimeoutDefaultsToPartOfLease() {
        LockSettings settings = LockSettings.DEFAULTS;

        assertThat(settings.attemptTimeoutFor(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.attemptTimeoutFor(Duration.ofMillis(2_500))).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.attemptTimeoutFor(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void twoAttemptsFitIntoRestAfterRenewalIsDue() {
        for (Duration lease : List.of(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofMinutes(1))) {
            Duration left = lease.minus(LockSettings.DEFAULTS.heartbeatIntervalFor(lease));

            assertThat(LockSettings.DEFAULTS.attemptTimeoutFor(lease).multipliedBy(2))
                    .isLessThanOrEqualTo(left.plusMillis(1));
        }
    }

    @Test
    void attemptTimeoutIsCappedForShorterLease() {
        LockSettings settings = with(with -> with.attemptTimeout(Duration.ofSeconds(8)));

        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(8));
        assertThat(settings.attemptTimeoutFor(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void callWithAllRetriesEndsInsideLease() {
        LockSettings settings = LockSettings.DEFAULTS;

        assertThat(settings.callTimeoutFor(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.callTimeoutFor(Duration.ofSeconds(8))).isEqualTo(Duration.ofSeconds(4));
        assertThat(settings.callTimeoutFor(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void callTimeoutIsCappedForShorterLease() {
        LockSettings settings = with(with -> with.callTimeout(Duration.ofSeconds(20)));

        assertThat(settings.callTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(20));
        assertThat(settings.callTimeoutFor(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void defaultOfCallTimeoutCoversAnAttempt() {
        LockSettings settings = with(with -> with.attemptTimeout(Duration.ofSeconds(12)));

        assertThat(settings.callTimeoutFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void fiveAttemptsFitIntoCall() {
        Duration lease = LockSettings.DEFAULTS.leaseDuration();

        assertThat(LockSettings.DEFAULTS.attemptTimeoutFor(lease).multipliedBy(5))
                .isLessThanOrEqualTo(LockSettings.DEFAULTS.callTimeoutFor(lease));
    }

    @Test
    void firstResponseTimeoutIsLongerWithinCallTimeout() {
        Duration second = Duration.ofSeconds(1);

        assertThat(LockSettings.DEFAULTS.firstResponseTimeoutOrDefault()).isEqualTo(Duration.ofSeconds(10));
        assertThat(with(with -> with.callTimeout(second)).firstResponseTimeoutOrDefault())
                .isEqualTo(second);
        assertThat(with(with -> with.callTimeout(second).firstResponseTimeout(second.multipliedBy(5)))
                        .firstResponseTimeoutOrDefault())
                .isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void maximumConcurrencyFitsSdkConnections() {
        assertThat(LockSettings.DEFAULTS.connections()).isEqualTo(24 + 16 + LockSettings.BACKGROUND_REQUESTS + 2);
        assertThat(LockSettings.DEFAULTS.connections()).isEqualTo(50);
        assertThat(with(with -> with.heartbeatThreads(1).maxConcurrentRequests(2))
                        .connections())
                .isEqualTo(13);
        assertThat(with(with -> with.heartbeatThreads(Integer.MAX_VALUE)).connections())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void builderCopiesSettingsWithoutChangingThem() {
        LockSettings first = with(with -> with.namePrefix("a/").warnAfter(Duration.ofMinutes(1)));

        LockSettings.Builder builder = first.toBuilder().namePrefix("b/");
        LockSettings second = builder.build();
        builder.namePrefix("c/");

        assertThat(first.namePrefix()).isEqualTo("a/");
        assertThat(second.namePrefix()).isEqualTo("b/");
        assertThat(second.warnAfter()).isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void eachSettingAffectsEqualsAndToString(String setting, UnaryOperator<LockSettings.Builder> change) {
        LockSettings changed = with(change);

        assertThat(changed)
                .isEqualTo(with(change))
                .hasSameHashCodeAs(with(change))
                .isEqualTo(changed.toBuilder().build())
                .isNotEqualTo(LockSettings.DEFAULTS);
        assertThat(changed.toString())
                .isNotEqualTo(LockSettings.DEFAULTS.toString())
                .contains(setting + "=");
    }

    @Test
    void everySettingIsTested() {
        assertThat(changes().map(arguments -> arguments.get()[0]))
                .containsExactlyInAnyOrderElementsOf(
                        setters().map(Method::getName).toList());
    }

    @Test
    void nullSettingIsRejectedByNameOrMeansDefault() {
        assertThat(setters()).hasSizeGreaterThan(10).allSatisfy(setter -> {
            if (setter.getAnnotatedParameterTypes()[0].isAnnotationPresent(Nullable.class)) {
                assertThat(((LockSettings.Builder) setter.invoke(LockSettings.builder(), (Object) null)).build())
                        .isEqualTo(LockSettings.DEFAULTS);
            } else if (!setter.getParameterTypes()[0].isPrimitive()) {
                assertThatThrownBy(() -> setter.invoke(LockSettings.builder(), (Object) null))
                        .hasCause(new NullPointerException(setter.getName()));
            }
        });
    }

    private static Stream<Method> setters() {
        return Stream.of(SettingsBuilder.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()));
    }

    static Stream<Arguments> changes() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(
                change("leaseDuration", with -> with.leaseDuration(second)),
                change("maxLeaseDuration", with -> with.maxLeaseDuration(Duration.ofDays(1))),
                change("time", with -> with.time(LeaseTime.OBSERVED)),
                change("maxClockSkew", with -> with.maxClockSkew(Duration.ZERO)),
                change("lockDelay", with -> with.lockDelay(second)),
                change("warnAfter", with -> with.warnAfter(second)),
                change("heartbeatInterval", with -> with.heartbeatInterval(second)),
                change("heartbeatThreads", with -> with.heartbeatThreads(1)),
                change("maxConcurrentRequests", with -> with.maxConcurrentRequests(1)),
                change("waitTime", with -> with.waitTime(second)),
                change("pollMin", with -> with.pollMin(second)),
                change("pollMax", with -> with.pollMax(second.multipliedBy(2))),
                change("attemptTimeout", with -> with.attemptTimeout(second)),
                change("callTimeout", with -> with.callTimeout(second)),
                change("firstResponseTimeout", with -> with.firstResponseTimeout(second)),
                change("namePrefix", with -> with.namePrefix("app/")),
                change("shutdownGrace", with -> with.shutdownGrace(second)),
                change("onLost", with -> with.onLost(OnLost.INTERRUPT)));
    }

    private static Arguments change(String setting, UnaryOperator<LockSettings.Builder> change) {
        return Arguments.of(setting, change);
    }

    @Test
    void rejectsTooLongDurationsByName() {
        Duration absurd = Duration.ofSeconds(Long.MAX_VALUE);
        LockManagerBuilder locks = LockManager.builder(new io.dynamolock.memory.InMemoryLockStore());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.maxClockSkew(absurd).build())
                .withMessageStartingWith("maxClockSkew");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        locks.maxClockSkew(Duration.ZERO).lockDelay(absurd).build())
                .withMessageStartingWith("lockDelay");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        locks.lockDelay(Duration.ZERO).leaseDuration(absurd).build())
                .withMessageStartingWith("leaseDuration");
    }

    @Test
    void rejectsRequestsThatCanNeverSucceed() {
        LockSettings limited = LockManager.builder(new InMemoryLockStore())
                .maxLeaseDuration(Duration.ofMinutes(1))
                .namePrefix("x".repeat(2_040))
                .build()
                .diagnostics()
                .orElseThrow()
                .settings();

        limited.validate(LockRequest.of("job").leaseDuration(Duration.ofMinutes(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.validate(LockRequest.of("job").leaseDuration(Duration.ofSeconds(61))))
                .withMessageContaining("leaseDuration (61s) of lock 'job' must not exceed maxLeaseDuration (1m)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.validate(LockRequest.of("job-number-9")))
                .withMessageContaining("2,048 bytes");
    }
}
