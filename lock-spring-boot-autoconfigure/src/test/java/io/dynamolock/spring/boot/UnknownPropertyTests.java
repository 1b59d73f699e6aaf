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
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

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
        "dynamolock.manager.billing.table.name, dynamolock.managers.billing.table.name"
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
