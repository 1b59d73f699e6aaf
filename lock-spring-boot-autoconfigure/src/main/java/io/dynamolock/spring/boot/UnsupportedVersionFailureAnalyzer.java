/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.lang.reflect.Field;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Names the versions of Spring Boot and of the AWS SDK if they are too old. Must itself be loadable with those. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnsupportedVersionFailureAnalyzer implements FailureAnalyzer {

    private static final String OLDEST_BOOT = "4.0";
    private static final String OLDEST_SDK = "2.46";
    private static final String SDK = "software.amazon.awssdk.";

    private final String boot;
    private final Supplier<String> sdk;

    /** Creates the analyzer. Called by Spring. */
    UnsupportedVersionFailureAnalyzer() {
        this(SpringBootVersion.getVersion(), UnsupportedVersionFailureAnalyzer::sdkVersion);
    }

    UnsupportedVersionFailureAnalyzer(String boot, Supplier<String> sdk) {
        this.boot = boot;
        this.sdk = sdk;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        if (Integer.parseInt(boot.substring(0, boot.indexOf('.'))) < 4) {
            boolean isOurs = causes(failure)
                    .anyMatch(cause -> String.valueOf(cause.getMessage()).contains("dynamolock"));
            return !isOurs
                    ? null
                    : new FailureAnalysis(
                            "dynamolock needs Spring Boot %s or later, but the application runs on %s."
                                    .formatted(OLDEST_BOOT, boot),
                            "Use Spring Boot %s or later, or lock-core without the starter.".formatted(OLDEST_BOOT),
                            failure);
        }
        return causes(failure)
                .filter(LinkageError.class::isInstance)
                .map(cause -> String.valueOf(cause.getMessage()).replace('/', '.'))
                .filter(missing -> missing.contains(SDK))
                .findFirst()
                .map(missing -> new FailureAnalysis(
                        "dynamolock needs the AWS SDK for Java %s or later, but found version %s, which lacks %s."
                                .formatted(OLDEST_SDK, sdk.get(), missing),
                        "Import software.amazon.awssdk:bom %s or later, so that all modules of the SDK have one version."
                                .formatted(OLDEST_SDK),
                        failure))
                .orElse(null);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /** Reads the version at run time: the constant itself would be that of the compilation. */
    private static String sdkVersion() {
        try {
            Class<?> info = ClassUtils.forName(SDK + "core.util.VersionInfo", null);
            Field version = Objects.requireNonNull(ReflectionUtils.findField(info, "SDK_VERSION"));
            return String.valueOf(ReflectionUtils.getField(version, null));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return "unknown";
        }
    }
}
