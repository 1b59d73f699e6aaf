/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockManager;
import io.dynamolock.OnLost;
import io.dynamolock.dynamodb.LocalDynamoDb;
import io.dynamolock.spring.StartFailure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Invalid properties fail the startup; the message names the full key and a remedy. */
class PropertyValidationTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamolockAutoConfiguration.class))
            .withBean(DynamoDbClient.class, LocalDynamoDb::client, bean -> bean.setDestroyMethodName(""));

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("dynamolock.table.name", " "),
                mistake("dynamolock.table.partition-key", " "),
                mistake("dynamolock.table.partition-key", "owner"),
                mistake("dynamolock.table.ttl-attribute", " "),
                mistake("dynamolock.table.retention", "-1d"),
                mistake("dynamolock.table.retention", "0s"),
                mistake("dynamolock.table.retention", "P106751991167300D"),
                mistake("dynamolock.table.creation-timeout", "0s"),
                mistake("dynamolock.table.creation-timeout", "P106751991167300D"),
                mistake("dynamolock.table.creation-timeout", "-9223372036854775808s"),
                mistake("dynamolock.table.sort-key", "", "dynamolock.table.sort-key-value=lock"),
                mistake("dynamolock.table.sort-key-value", "x".repeat(1_025), "dynamolock.table.sort-key=sk"),
                mistake("dynamolock.table.sort-key-value", "", "dynamolock.table.sort-key=sk"),
                mistake("dynamolock.table.read-capacity", "0", "dynamolock.table.billing-mode=provisioned"),
                mistake(
                        "dynamolock.table.write-capacity",
                        "0",
                        "dynamolock.table.billing-mode=provisioned",
                        "dynamolock.table.read-capacity=1"),
                mistake("dynamolock.table.write-capacity", "5"),
                mistake("dynamolock.lease.duration", "0s"),
                mistake("dynamolock.lease.duration", "-5s"),
                mistake("dynamolock.lease.duration", "400d"),
                mistake("dynamolock.lease.duration", "30s", "dynamolock.lease.max-duration=10s"),
                mistake("dynamolock.lease.max-duration", "0s"),
                mistake("dynamolock.lease.max-duration", "-1s"),
                mistake("dynamolock.lease.max-duration", "366d"),
                mistake("dynamolock.lease.max-clock-skew", "-1s"),
                mistake("dynamolock.lease.lock-delay", "-1s"),
                mistake("dynamolock.lease.warn-after", "0s"),
                mistake("dynamolock.heartbeat.interval", "16s"),
                mistake("dynamolock.heartbeat.interval", "0s"),
                mistake("dynamolock.heartbeat.threads", "0"),
                mistake("dynamolock.wait.time", "-1s"),
                mistake("dynamolock.wait.poll-min", "0s"),
                mistake("dynamolock.wait.poll-max", "10ms"),
                mistake("dynamolock.client.attempt-timeout", "16s"),
                mistake("dynamolock.client.attempt-timeout", "0s"),
                mistake("dynamolock.client.attempt-timeout", "5s", "dynamolock.client.call-timeout=4s"),
                mistake("dynamolock.client.call-timeout", "31s"),
                mistake("dynamolock.client.first-response-timeout", "0s"),
                mistake("dynamolock.client.max-concurrent-requests", "0"),
                mistake("dynamolock.retry.max-attempts", "0"),
                mistake("dynamolock.retry.multiplier", "0.9"),
                mistake("dynamolock.retry.jitter", "1.1"),
                mistake("dynamolock.retry.base-delay", "-1s"),
                mistake("dynamolock.retry.max-delay", "-1s"),
                mistake("dynamolock.shutdown.grace-period", "-1s"),
                mistake("dynamolock.name-prefix", "a\u0007b"),
                mistake("dynamolock.name-prefix", "x".repeat(2_048)),
                mistake("dynamolock.owner", "a\u0007b"));
    }

    private static Arguments mistake(String key, String value, String... others) {
        return Arguments.of(key, value, others);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopsTheStart(String key, String value, String[] others) {
        contexts.withPropertyValues(key + "=" + value)
                .withPropertyValues(others)
                .run(context -> {
                    InvalidLockPropertyException failure = failure(context);

                    assertThat(failure.problem()).contains(key);
                    assertThat(failure.remedy()).contains(key).endsWith(".");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "lease.duration=30s, lease.max-duration=10s",
        "heartbeat.interval=20s, lease.duration=30s",
        "client.attempt-timeout=16s, lease.duration=30s",
        "client.attempt-timeout=5s, client.call-timeout=4s",
        "client.call-timeout=31s, lease.duration=30s",
        "wait.poll-max=10ms, wait.poll-min=20ms",
        "retry.base-delay=21s, retry.max-delay=20s",
        "table.sort-key=sk, table.sort-key-value=",
        "table.sort-key=, table.sort-key-value=lock",
        "table.sort-key=pk, table.partition-key=pk",
        "table.ttl-attribute=lockName, table.partition-key=lockName",
        "table.ttl-attribute=sk, table.sort-key=sk",
        "table.read-capacity=5, table.billing-mode=pay-per-request",
        "table.billing-mode=provisioned, table.write-capacity=",
    })
    void namesBothKeysOfAContradiction(String one, String other) {
        contexts.withPropertyValues("dynamolock." + one, "dynamolock." + other)
                .withPropertyValues(
                        one.matches("table.sort-key=pk|table.ttl-attribute=sk")
                                ? "dynamolock.table.sort-key-value=x"
                                : "unused=x")
                .withPropertyValues(one.startsWith("table.billing") ? "dynamolock.table.read-capacity=1" : "unused=x")
                .run(context -> assertThat(failure(context).problem())
                        .contains("dynamolock." + one.split("=", 2)[0])
                        .contains("dynamolock." + other.split("=", 2)[0]));
    }

    static Stream<Arguments> remedies() {
        return Stream.of(
                remedy(
                        "positive duration of at most dynamolock.lease.max-duration, if that is set",
                        "must not exceed dynamolock.lease.max-duration (5s)",
                        "dynamolock.lease.max-duration=5s"),
                remedy(
                        "Set dynamolock.table.read-capacity to 1 or more, or dynamolock.table.billing-mode to pay-per-request",
                        "dynamolock.table.read-capacity is not set, but dynamolock.table.billing-mode = provisioned needs it",
                        "dynamolock.table.billing-mode=provisioned"),
                remedy(
                        "Correct dynamolock.table.name",
                        "dynamolock.table.name must have 3 to 255 letters, digits, dots, dashes and underscores, but is 'a b'",
                        "dynamolock.table.name=a b"),
                remedy(
                        "or lower dynamolock.wait.poll-min",
                        "dynamolock.wait.poll-max must not be below dynamolock.wait.poll-min (2s), but is 1s",
                        "dynamolock.wait.poll-min=2s"),
                remedy(
                        "or raise dynamolock.retry.max-delay",
                        "dynamolock.retry.base-delay must not exceed dynamolock.retry.max-delay (10ms)",
                        "dynamolock.retry.max-delay=10ms"),
                remedy("Correct dynamolock.table.name", "must have 3 to 255", "dynamolock.table.name=ab"),
                remedy(
                        "with dynamolock.table.billing-mode = provisioned, or remove it with pay-per-request",
                        "dynamolock.table.write-capacity must not be set without",
                        "dynamolock.table.write-capacity=5"));
    }

    private static Arguments remedy(String remedy, String problem, String property) {
        return Arguments.of(remedy, problem, property);
    }

    @ParameterizedTest
    @MethodSource("remedies")
    void remedyFitsTheProblem(String remedy, String problem, String property) {
        contexts.withPropertyValues(property).run(context -> {
            assertThat(failure(context).problem()).contains(problem).doesNotContain("null");
            assertThat(failure(context).remedy()).contains(remedy).doesNotContain("30s");
        });
    }

    /** Spring Boot lists it among the valid values. */
    @Test
    void defaultOfOnLostIsItsDefault() {
        contexts.withPropertyValues(
                        "dynamolock.store=memory",
                        "dynamolock.on-lost=default",
                        "dynamolock.managers.billing.on-lost=default",
                        "dynamolock.managers.other.on-lost=event")
                .run(context -> {
                    assertThat(onLost(context, "dynamolockManager")).isEqualTo(OnLost.THROW);
                    assertThat(onLost(context, "billing")).isEqualTo(OnLost.THROW);
                    assertThat(onLost(context, "other")).isEqualTo(OnLost.EVENT);
                });
    }

    private static OnLost onLost(AssertableApplicationContext context, String manager) {
        return context.getBean(manager, LockManager.class)
                .diagnostics()
                .orElseThrow()
                .settings()
                .onLost();
    }

    @Test
    void namesTheHeartbeatTheLeaseAndTheRemedy() {
        contexts.withPropertyValues("dynamolock.heartbeat.interval=20s").run(context -> {
            FailureAnalysis analysis =
                    new InvalidLockPropertyFailureAnalyzer().analyze(failure(context), failure(context));

            assertThat(analysis.getDescription())
                    .isEqualTo("dynamolock.heartbeat.interval must be at most half of dynamolock.lease.duration (30s),"
                            + " so that one renewal may fail, but is 20s.");
            assertThat(analysis.getAction())
                    .startsWith("Set dynamolock.heartbeat.interval to a positive duration of at most half of"
                            + " dynamolock.lease.duration");
        });
    }

    @Test
    void valueThatEqualsNameOfSettingIsQuoted() {
        contexts.withPropertyValues(
                        "dynamolock.table.partition-key=retention",
                        "dynamolock.table.sort-key=retention",
                        "dynamolock.table.sort-key-value=lock")
                .run(context -> assertThat(failure(context).problem())
                        .startsWith("dynamolock.table.sort-key must not be the same as dynamolock.table.partition-key")
                        .endsWith("'retention'"));
    }

    @Test
    void tableNamedAsSettingIsQuoted() {
        contexts.withPropertyValues("dynamolock.table.name=retention", "dynamolock.table.initialization=validate")
                .run(context -> assertThat(failure(context).problem())
                        .startsWith("dynamolock.table.name = 'retention' cannot be used")
                        .contains("Table 'retention' at ")
                        .doesNotContain("dynamolock.table.retention"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8000", "localhost", "/locks", "http:///locks", "http://local_host:8000"})
    void endpointIsAnAddress(String endpoint) {
        TestClients.contexts()
                .withPropertyValues(TestClients.ownClient())
                .withPropertyValues("dynamolock.client.endpoint=" + endpoint)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(
                                "dynamolock.client.endpoint must be an address such as http://localhost:8000")
                        .hasMessageContaining(endpoint));
    }

    private static InvalidLockPropertyException failure(AssertableApplicationContext context) {
        return StartFailure.of(context, InvalidLockPropertyException.class);
    }
}
