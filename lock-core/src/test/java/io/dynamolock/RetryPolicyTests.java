/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTests {

    private final LockStoreException throttled = new LockStoreException("job", "throttled", null, false, true);
    private final LockStoreException denied = new LockStoreException("job", "denied", null, false, false);

    @Test
    void delaysStartAt100MillisecondsAndDouble() {
        RetryPolicy policy = unjittered(4);

        assertThat(policy.delayAfter(1, throttled)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy.delayAfter(2, throttled)).isEqualTo(Duration.ofMillis(200));
        assertThat(policy.delayAfter(3, throttled)).isEqualTo(Duration.ofMillis(400));
    }

    @Test
    void delaysNeverExceedMaximum() {
        RetryPolicy policy = unjittered(Integer.MAX_VALUE);

        assertThat(policy.delayAfter(6, throttled)).isEqualTo(Duration.ofMillis(3_200));
        assertThat(policy.delayAfter(7, throttled)).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.delayAfter(1_000_000, throttled)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void countsAttemptsInAll() {
        RetryPolicy three = unjittered(3);
        RetryPolicy one = unjittered(1);

        assertThat(three.delayAfter(2, throttled)).isNotNull();
        assertThat(three.delayAfter(3, throttled)).isNull();
        assertThat(one.delayAfter(1, throttled)).isNull();
    }

    @Test
    void jitterOnlyShortens() {
        RetryPolicy longest = policy(10, 0.25, 0);
        RetryPolicy shortest = policy(10, 0.25, 1);

        assertThat(longest.delayAfter(1, throttled)).isEqualTo(Duration.ofMillis(100));
        assertThat(shortest.delayAfter(1, throttled)).isEqualTo(Duration.ofMillis(75));
        assertThat(longest.delayAfter(9, throttled)).isEqualTo(Duration.ofSeconds(5));
        assertThat(shortest.delayAfter(9, throttled)).isEqualTo(Duration.ofMillis(3_750));
    }

    @Test
    void doesNotRetryPermanentFailures() {
        assertThat(unjittered(3).delayAfter(1, denied)).isNull();
    }

    /** As a jitter of one's own may give. */
    @Test
    void negativeDelayDoesNotExtendTheTimeoutOfTheCall() {
        RetryBudget budget = new RetryBudget((attempts, failure) -> Duration.ofSeconds(-30), Duration.ofSeconds(2));
        budget.sending(0);

        assertThat(budget.failed(throttled, 0, false)).isEqualTo(Duration.ZERO);
        assertThat(budget.failed(throttled, Duration.ofSeconds(2).toNanos(), false))
                .isNull();
    }

    @Test
    void defaultsMatchTheSdkForDynamoDb() {
        for (int drawn = 0; drawn < 100; drawn++) {
            assertThat(delay(RetryPolicy.DEFAULT, 1)).isBetween(Duration.ZERO, Duration.ofMillis(25));
            assertThat(delay(RetryPolicy.DEFAULT, 2)).isBetween(Duration.ZERO, Duration.ofMillis(50));
            assertThat(delay(RetryPolicy.DEFAULT, 8)).isBetween(Duration.ZERO, Duration.ofMillis(3_200));
        }
        assertThat(RetryPolicy.DEFAULT.delayAfter(9, throttled)).isNull();
    }

    @Test
    void jittersEachDelayAnew() {
        Random random = new Random(1);
        RetryPolicy policy =
                RetryPolicy.exponential(3, Duration.ofMillis(100), 2, Duration.ofSeconds(5), 0.25, random::nextDouble);

        assertThat(policy.delayAfter(1, throttled)).isNotEqualTo(policy.delayAfter(1, throttled));
    }

    @Test
    void usesItsOwnRandomSource() {
        RetryPolicy policy = RetryPolicy.exponential(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 1);

        Set<Duration> delays =
                Stream.generate(() -> delay(policy, 1)).limit(100).collect(Collectors.toSet());

        assertThat(delays).hasSizeGreaterThan(50).allMatch(delay -> delay.compareTo(Duration.ofSeconds(1)) <= 0);
    }

    @Test
    void acceptsConstantDelaysWithoutJitter() {
        RetryPolicy policy = RetryPolicy.exponential(9, Duration.ofMillis(70), 1, Duration.ofMillis(70), 0);

        assertThat(policy.delayAfter(1, throttled)).isEqualTo(Duration.ofMillis(70));
        assertThat(policy.delayAfter(8, throttled)).isEqualTo(Duration.ofMillis(70));
    }

    @Test
    void delaysBelowOneMillisecondGrowAsWell() {
        RetryPolicy policy = RetryPolicy.exponential(9, Duration.ofNanos(500_000), 2, Duration.ofSeconds(5), 0);

        assertThat(policy.delayAfter(1, throttled)).isEqualTo(Duration.ofNanos(500_000));
        assertThat(policy.delayAfter(8, throttled)).isEqualTo(Duration.ofMillis(64));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, 0.25, maxAttempts",
        "-1, 2, 0.25, maxAttempts",
        "3, 0.9, 0.25, multiplier",
        "3, 2, -0.1, jitter",
        "3, 2, 1.1, jitter"
    })
    void rejectsInvalidNumbersByName(int maxAttempts, double multiplier, double jitter, String setting) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> RetryPolicy.exponential(
                        maxAttempts, Duration.ofMillis(100), multiplier, Duration.ofSeconds(5), jitter))
                .returns(setting, InvalidSettingException::setting);
    }

    @Test
    void rejectsNegativeDelaysByName() {
        Duration negative = Duration.ofMillis(-1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(3, negative, 2, Duration.ofSeconds(5), 0))
                .withMessageContaining("baseDelay");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(3, Duration.ZERO, 2, negative, 0))
                .withMessageContaining("maxDelay");
    }

    private static RetryPolicy unjittered(int maxAttempts) {
        return policy(maxAttempts, 0, 1);
    }

    private static RetryPolicy policy(int maxAttempts, double jitter, double drawn) {
        return RetryPolicy.exponential(
                maxAttempts, Duration.ofMillis(100), 2, Duration.ofSeconds(5), jitter, () -> drawn);
    }

    private Duration delay(RetryPolicy policy, int attempts) {
        @Nullable Duration delay = policy.delayAfter(attempts, throttled);
        assertThat(delay).isNotNull();
        return delay == null ? Duration.ZERO : delay;
    }

    @Test
    void rejectsNaN() {
        Duration delay = Duration.ofMillis(100);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(3, delay, Double.NaN, delay, 0.25));
        assertThatIllegalArgumentException().isThrownBy(() -> RetryPolicy.exponential(3, delay, 2, delay, Double.NaN));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(3, delay, 2, Duration.ofSeconds(Long.MAX_VALUE), 0))
                .withMessageContaining("maxDelay");
    }
}
