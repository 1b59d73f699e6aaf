/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.StartFailure;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.convert.ConversionFailedException;

/** Misspelled properties stop the start. */
class UnknownPropertyTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamolockAutoConfiguration.class, DistributedLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    @ParameterizedTest
    @CsvSource({
        "dynamolock.tabel.name, dynamolock.table.name",
        "dynamolock.lease.durration, dynamolock.lease.duration",
        "dynamolock.lease-duration, dynamolock.lease.duration",
        "dynamolock.waiting.time, dynamolock.wait.time",
        "dynamolock.managers.billing.tabel.name, dynamolock.managers.billing.table.name",
        "dynamolock.manager.billing.table.name, dynamolock.managers.billing.table.name",
        "dynamolock.region, dynamolock.client.region",
        "dynamolock.access-key, dynamolock.client.access-key",
        "dynamolock.grace-period, dynamolock.shutdown.grace-period",
        "dynamolock.threads, dynamolock.heartbeat.threads",
        "dynamolock.table.ttl, dynamolock.table.ttl-attribute",
        "dynamolock.table.table-name, dynamolock.table.name",
        "dynamolock.lease.on-lost, dynamolock.on-lost",
        "dynamolock.enable, dynamolock.enabled",
        "dynamolock.disabled, dynamolock.enabled"
    })
    void areNamedTogetherWithTheNearestKnownOne(String unknown, String nearest) {
        contexts.withPropertyValues(unknown + "=1").run(context -> {
            FailureAnalysis analysis = analyze(Objects.requireNonNull(context.getStartupFailure()));

            assertThat(analysis.getDescription())
                    .startsWith("There is no property " + unknown + " (")
                    .contains("\"" + unknown + "\" from property source \"test\"");
            assertThat(analysis.getAction())
                    .isEqualTo("Correct " + unknown + ", or remove it. The most similar property is " + nearest + ".");
        });
    }

    @Test
    void areNotComparedWithUnlikeOnes() {
        contexts.withPropertyValues("dynamolock.zookeeper=1")
                .run(context -> assertThat(analyze(Objects.requireNonNull(context.getStartupFailure()))
                                .getAction())
                        .isEqualTo("Correct dynamolock.zookeeper, or remove it."));
    }

    /** Whoever followed such advice would run without locks. */
    @ParameterizedTest
    @ValueSource(strings = {"metrics", "client", "heartbeat", "observations", "managers.billing.client"})
    void areNotTheSwitchOfAllLocksInGroups(String group) {
        String unknown = "dynamolock." + group + ".enabled";
        contexts.withPropertyValues(unknown + "=false")
                .run(context -> assertThat(analyze(Objects.requireNonNull(context.getStartupFailure()))
                                .getAction())
                        .startsWith("Correct " + unknown + ", or remove it.")
                        .doesNotContain(" dynamolock.enabled"));
    }

    @ParameterizedTest
    @CsvSource({
        "dynamolock, dynamolock.owner=me, dynamolock.enabled",
        "dynamolock.table, dynamolock.table.retention=7d, dynamolock.table.name",
        "dynamolock.table, dynamolock.owner=me, dynamolock.table.name",
        "dynamolock.lease, dynamolock.lease.max-clock-skew=2s, dynamolock.lease.duration",
        "dynamolock.wait, dynamolock.wait.poll-min=1s, dynamolock.wait.time",
        "dynamolock.leader, dynamolock.leader.exit-on-loss=true, dynamolock.leader.name",
        "dynamolock.managers, dynamolock.owner=me, dynamolock.managers.<name>.table.name",
        "dynamolock.managers.billing.table, dynamolock.managers.billing.table.retention=7d, dynamolock.managers.billing.table.name"
    })
    void areGroupsOfPropertiesWithAValue(String group, String other, String suggested) {
        contexts.withPropertyValues(group + "=10s", other)
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessage(
                                "%1$s is a group of properties, which has no value itself, but is set".formatted(group)
                                        + " (\"%s\" from property source \"test\"). Write %s, or another property of the group."
                                                .formatted(group, suggested)));
    }

    /** Spring Boot takes them literally: a secret would be known to every reader of the file. */
    @ParameterizedTest
    @ValueSource(strings = {"token-key", "name-prefix", "owner", "leader.name", "managers.billing.name-prefix"})
    void areNotDefinedInPlaceholders(String property) {
        contexts.withPropertyValues("dynamolock." + property + "=${app.shop.key-of-thirty-two-characters}/")
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessage(("dynamolock.%s contains the placeholder ${app.shop.key-of-thirty-two-characters},"
                                        + " which is not defined. Define app.shop.key-of-thirty-two-characters, or give"
                                        + " it a default value: ${app.shop.key-of-thirty-two-characters:...}.")
                                .formatted(property)));
    }

    /** Spring encodes the braces of an address. */
    @ParameterizedTest
    @CsvSource({"lease.duration, ${NOWHERE}", "client.endpoint, http://${NOWHERE}:8000"})
    void areNotDefinedInPlaceholdersOfOtherTypes(String property, String value) {
        contexts.withPropertyValues("dynamolock." + property + "=" + value)
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessageContaining("dynamolock." + property + " contains the placeholder ${NOWHERE}"));
    }

    /** Their values are what is wrong. */
    @ParameterizedTest
    @CsvSource({
        "lease.duration, ${LEASE}",
        "lease.duration, ${UNDEFINED:30 s}",
        "managers.billing.lease.duration, ${LEASE}",
        "table.honor, ${LEASE}"
    })
    void areNotPlaceholdersWithInvalidValues(String property, String text) {
        contexts.withPropertyValues("dynamolock." + property + "=" + text, "LEASE=30 s")
                .run(context -> assertThat(StartFailure.of(context, ConversionFailedException.class))
                        .returns("30 s", ConversionFailedException::getValue));
    }

    /** Spring Boot ignores them if another source has the value: locks would be in the wrong table. */
    @ParameterizedTest
    @CsvSource({
        "dynamolock.table.name, dynamolock.table.name[0]",
        "dynamolock.table.name, dynamolock.table.name.de",
        "dynamolock.lease.duration, dynamolock.lease.duration[0]",
        "dynamolock.managers.billing.table.name, dynamolock.managers.billing.table.name[0]"
    })
    void areListsAndMapsForASingleValue(String property, String part) {
        contexts.withPropertyValues(part + "=20s")
                .withInitializer(context -> TestPropertyValues.of(property + "=30s")
                        .applyTo(context.getEnvironment(), TestPropertyValues.Type.MAP, "more"))
                .run(context -> assertThat(StartFailure.of(context, InvalidLockPropertyException.class))
                        .hasMessage(("%s has a single value, but %s is set (\"%s\" from property source \"test\")."
                                        + " Write %s without an index or a key.")
                                .formatted(property, part, part, property)));
    }

    @Test
    void areNotVariablesOfOthers() {
        contexts.withInitializer(context ->
                        NamedManagersTests.setEnvironment(context, Map.of("DYNAMOLOCK_STORE_SERVICE_HOST", "10.0.0.1")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void areNotPartsOfLists() {
        contexts.withPropertyValues("dynamolock.table.honor[0]=shedlock")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void areEscapedPlaceholders() {
        contexts.withPropertyValues("dynamolock.name-prefix=\\${literal}/", "dynamolock.owner=$100 {net}")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void areNotEmptyGroups() {
        contexts.withPropertyValues(
                        "dynamolock=", "dynamolock.table=", "dynamolock.table.retention=7d", "dynamolock.managers=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "dynamolock.managers.billing.metrics.lock-name-tag, dynamolock.metrics.lock-name-tag",
        "dynamolock.managers.billing.leader.name, dynamolock.leader.name",
        "dynamolock.managers.billing.enabled, dynamolock.enabled"
    })
    void areGlobalOnesOfOneManager(String unknown, String global) {
        contexts.withPropertyValues(unknown + "=1")
                .run(context -> assertThat(analyze(Objects.requireNonNull(context.getStartupFailure()))
                                .getAction())
                        .isEqualTo("%s applies to all managers and cannot be set for one: set %s instead, or remove it."
                                .formatted(unknown, global)));
    }

    @Test
    void areLeftToOthersOutsideOfDynamolock() {
        ConfigurationPropertyName other = ConfigurationPropertyName.of("acme.tabel");

        assertThat(new UnknownPropertyFailureAnalyzer()
                        .analyze(new UnboundConfigurationPropertiesException(
                                Set.of(new ConfigurationProperty(other, "x", null)))))
                .isNull();
    }

    @Test
    void areNotThoseWithoutAValue() {
        contexts.withPropertyValues(
                        "dynamolock.client.endpoint=${NOWHERE:}",
                        "dynamolock.heartbeat.threads=${NOWHERE:}",
                        "dynamolock.lease.maxDuration=",
                        "dynamolock.managers.nightJobs.wait.time=",
                        "dynamolock.managers.nightJobs.table.name=night")
                .run(context -> assertThat(context).hasNotFailed());

        contexts.withPropertyValues("dynamolock.lease.maxDuration=", "dynamolock.tabel.name=")
                .run(context -> assertThat(StartFailure.of(context, UnboundConfigurationPropertiesException.class)
                                .getUnboundProperties())
                        .extracting(property -> property.getName().toString())
                        .containsExactly("dynamolock.tabel.name"));
    }

    /** A service named dynamolock brings such variables in Kubernetes. */
    @Test
    void areIgnoredAmongEnvironmentVariables() {
        contexts.withInitializer(context ->
                        NamedManagersTests.setEnvironment(context, Map.of("DYNAMOLOCK_SERVICE_HOST", "10.0.0.1")))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static FailureAnalysis analyze(Throwable failure) {
        return Objects.requireNonNull(new UnknownPropertyFailureAnalyzer().analyze(failure));
    }
}
