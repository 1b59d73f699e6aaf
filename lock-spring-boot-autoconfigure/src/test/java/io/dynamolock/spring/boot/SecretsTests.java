/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.dynamolock.LockManager;
import io.dynamolock.spring.LogCapture;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;

/** Credentials are never shown or logged. */
@ExtendWith(LogCapture.class)
class SecretsTests {

    private static final String TOKEN_KEY = "a-key-that-signs-all-lease-tokens";

    private final ApplicationContextRunner contexts = TestClients.contexts()
            .withPropertyValues(TestClients.ownClient())
            .withPropertyValues(
                    "dynamolock.client.access-key=AKIDEXAMPLE",
                    "dynamolock.client.secret-key=wJalrXUtnFEMI",
                    "dynamolock.token-key=" + TOKEN_KEY);

    @BeforeEach
    void logEverything() {
        LogCapture.setLevel(Level.TRACE);
    }

    @Test
    void areNotInTheLog(CapturedOutput output) {
        contexts.run(context -> context.getBean(LockManager.class)
                .tryAcquire("job")
                .orElseThrow()
                .release());

        assertThat(LoggerFactory.getLogger(LockManager.class).isTraceEnabled()).isTrue();
        assertThat(output.getAll()).contains("Created table").doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", TOKEN_KEY);
    }

    @Test
    void areNotInAFailure(CapturedOutput output) {
        contexts.withPropertyValues("dynamolock.lease.duration=0s").run(context -> {
            assertThat(context).hasFailed();
            assertThat(output.getAll()).doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", TOKEN_KEY);
        });
    }

    @Test
    void areNotInTheActuatorEvenIfValuesAreShown() {
        contexts.withConfiguration(AutoConfigurations.of(
                        ConfigurationPropertiesReportEndpointAutoConfiguration.class,
                        EnvironmentEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoints.jmx.exposure.include=*",
                        "management.endpoint.configprops.show-values=always",
                        "dynamolock.managers.billing.table.name=" + TestClients.newTableName(),
                        "dynamolock.managers.billing.client.region=eu-west-3",
                        "dynamolock.managers.billing.client.access-key=AKIDBILLING",
                        "dynamolock.managers.billing.client.secret-key=bPxRfiCYBILLING",
                        "dynamolock.managers.billing.token-key=" + TOKEN_KEY)
                .run(context -> assertThat(report(context))
                        .contains("eu-west-1", "secretKey=******", "accessKey=******", "tokenKey=******")
                        .contains("billing", "eu-west-3")
                        .doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", "BILLING", TOKEN_KEY));
    }

    static List<ApplicationContextRunner> contextsThatUseNoSecret() {
        return List.of(
                TestClients.contexts().withPropertyValues("dynamolock.enabled=false"),
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
                        .withBean(LockManager.class, LockManager::unlocked));
    }

    /** The properties are bound in any case, and production may have the same ones. */
    @ParameterizedTest
    @MethodSource("contextsThatUseNoSecret")
    void areNotInTheActuatorThoughNothingUsesThem(ApplicationContextRunner contexts) {
        contexts.withConfiguration(AutoConfigurations.of(ConfigurationPropertiesReportEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoint.configprops.show-values=always",
                        "dynamolock.client.region=eu-west-3",
                        "dynamolock.client.access-key=AKIDEXAMPLE",
                        "dynamolock.client.secret-key=wJalrXUtnFEMI",
                        "dynamolock.token-key=" + TOKEN_KEY)
                .run(context -> assertThat(report(context))
                        .contains("eu-west-3", "secretKey=******", "accessKey=******", "tokenKey=******")
                        .doesNotContain("AKIDEXAMPLE", "wJalrXUtnFEMI", TOKEN_KEY));
    }

    private static String report(ApplicationContext context) {
        return String.valueOf(context.getBean(ConfigurationPropertiesReportEndpoint.class)
                .configurationPropertiesWithPrefix("dynamolock")
                .getContexts()
                .values()
                .iterator()
                .next()
                .getBeans()
                .values()
                .iterator()
                .next()
                .getProperties());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamolock.client.secret-key",
                "DYNAMOLOCK_CLIENT_SECRET_KEY",
                "DYNAMOLOCK_CLIENT_SECRETKEY",
                "dynamolock.managers.billing.client.secret-key",
                "DYNAMOLOCK_MANAGERS_BILLING_CLIENT_SECRETKEY",
                "dynamolock.token-key",
                "DYNAMOLOCK_TOKENKEY",
                "dynamolock.managers.billing.token-key",
                "DYNAMOLOCK_MANAGERS_BILLING_TOKEN_KEY"
            })
    void areMaskedInEverySpelling(String key) {
        contexts.run(context -> {
            SanitizingFunction function = context.getBean(SanitizingFunction.class);

            assertThat(function.apply(new SanitizableData(null, key, "secret")).getValue())
                    .isEqualTo(SanitizableData.SANITIZED_VALUE);
            assertThat(function.apply(new SanitizableData(null, "dynamolock.client.region", "eu-west-1"))
                            .getValue())
                    .isEqualTo("eu-west-1");
        });
    }

    @Test
    void needNoActuator() {
        contexts.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LockManager.class));
    }
}
