/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InvalidSettingExceptionTests {

    private final InvalidSettingException rejected =
            new InvalidSettingException("sortKey", "must not be the same as {partitionKey}", "partitionKey");

    @Test
    void messageNamesSettingRuleAndValue() {
        assertThat(rejected).hasMessage("sortKey must not be the same as partitionKey, but is 'partitionKey'");
        assertThat(rejected.setting()).isEqualTo("sortKey");
        assertThat(rejected.rule()).isEqualTo("must not be the same as partitionKey");
        assertThat(rejected.value()).isEqualTo("partitionKey");
    }

    @Test
    void otherNamesReplaceSettingsOnly() {
        Map<String, String> keys = Map.of("sortKey", "table.sort-key", "partitionKey", "table.$1");

        assertThat(rejected.message(name -> keys.getOrDefault(name, name)))
                .isEqualTo("table.sort-key must not be the same as table.$1, but is 'partitionKey'");
    }

    @Test
    void missingOrSecretValueIsNotShown() {
        assertThat(new InvalidSettingException("sortKeyValue", "must not be blank", null))
                .hasMessage("sortKeyValue must not be blank");
    }

    @Test
    void textIsEscaped() {
        assertThat(new InvalidSettingException("tableName", "must not be blank", "\n"))
                .hasMessage("tableName must not be blank, but is '\\u000a'");
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void requestsAndManagersNameTheRejectedSetting(String setting, Runnable mistake) {
        InvalidSettingException failure = catchThrowableOfType(InvalidSettingException.class, mistake::run);

        assertThat(failure.setting()).isEqualTo(setting);
        assertThat(failure.message(name -> "key")).startsWith("key must ");
    }

    static Stream<Arguments> mistakes() {
        LockRequest request = LockRequest.of("job");
        Duration second = Duration.ofSeconds(1);
        LockManagerBuilder builder = LockManager.builder(new InMemoryLockStore());
        return Stream.of(
                mistake("name", () -> request.name(" ")),
                mistake("name", () -> request.name("a\n")),
                mistake("leaseDuration", () -> request.leaseDuration(Duration.ZERO)),
                mistake("waitTime", () -> request.waitTime(second.negated())),
                mistake("maxHold", () -> request.maxHold(Duration.ZERO)),
                mistake("minHold", () -> request.minHold(second.negated())),
                mistake("minHold", () -> request.maxHold(second).minHold(second.plusNanos(1))),
                mistake("owner", () -> request.owner("a\n")),
                mistake("metadata", () -> request.metadata(Map.of("a\n", "b"))),
                mistake("metadata", () -> request.metadata(Map.of("a", "b".repeat(4_096)))),
                mistake("owner", () -> builder.owner("a".repeat(1_001))),
                mistake("tokenKey", () -> builder.tokenKey("short")),
                mistake("namePrefix", () -> builder.namePrefix("a\n")),
                mistake("waitTime", () -> builder.waitTime(second.negated()).build()));
    }

    private static Arguments mistake(String setting, Runnable mistake) {
        return Arguments.of(setting, mistake);
    }

    @Test
    void secretIsNotShown() {
        InvalidSettingException failure = catchThrowableOfType(
                InvalidSettingException.class,
                () -> LockManager.builder(new InMemoryLockStore()).tokenKey("hunter2"));

        assertThat(failure).hasMessage("tokenKey must have at least 32 bytes in UTF-8, but has 7");
        assertThat(failure.value()).isNull();
    }
}
