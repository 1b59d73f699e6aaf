/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Startup failures because of an old Spring Boot or an old AWS SDK. */
class UnsupportedVersionTests {

    @Test
    void oldSpringBootIsNamed() {
        FailureAnalysis analysis = Objects.requireNonNull(analyze("3.5.7", "2.54.15", missingBeanRegistrar()));

        assertThat(analysis.getDescription())
                .isEqualTo("dynamolock needs Spring Boot 4.0 or later, but the application runs on 3.5.7.");
        assertThat(analysis.getAction()).isEqualTo("Use Spring Boot 4.0 or later, or lock-core without the starter.");
    }

    @Test
    void otherFailuresOfOldSpringBootAreLeftToOthers() {
        assertThat(analyze("3.5.7", "2.54.15", new IllegalStateException("own")))
                .isNull();
        assertThat(analyze("4.0.7", "2.54.15", missingBeanRegistrar())).isNull();
    }

    @Test
    void oldAwsSdkIsNamed() {
        Throwable missing = new BeanCreationException(
                "dynamolockDefaultClient",
                new NoClassDefFoundError("software/amazon/awssdk/awscore/retry/AwsRetryStrategy"));

        FailureAnalysis analysis = Objects.requireNonNull(analyze("4.0.7", "2.25.0", missing));

        assertThat(analysis.getDescription())
                .isEqualTo("dynamolock needs the AWS SDK for Java 2.46 or later, but found version 2.25.0, which lacks"
                        + " software.amazon.awssdk.awscore.retry.AwsRetryStrategy.");
        assertThat(analysis.getAction())
                .isEqualTo("Import software.amazon.awssdk:bom 2.46 or later, so that all modules of the SDK have one"
                        + " version.");
    }

    @Test
    void otherMissingClassesAreLeftToOthers() {
        assertThat(analyze("4.0.7", "2.25.0", new NoClassDefFoundError("com/acme/Missing")))
                .isNull();
    }

    private static Throwable missingBeanRegistrar() {
        return new BeanDefinitionStoreException(
                "I/O failure while processing configuration class [io.dynamolock.spring.boot.NamedManagersRegistrar]",
                new FileNotFoundException(
                        "class path resource [org/springframework/beans/factory/BeanRegistrar.class] cannot be opened"
                                + " because it does not exist"));
    }

    private static @Nullable FailureAnalysis analyze(String boot, String sdk, Throwable failure) {
        return new UnsupportedVersionFailureAnalyzer(boot, () -> sdk).analyze(failure);
    }
}
