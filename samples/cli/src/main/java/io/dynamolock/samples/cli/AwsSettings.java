/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import picocli.CommandLine.TypeConversionException;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;

/**
 * What the AWS SDK reads in place of options, from system properties, the environment and the profile: it does not
 * explain what is wrong.
 */
final class AwsSettings {

    private final Map<String, String> environment;
    private final Properties properties;
    private final ProfileFile profiles;
    private final String profileName;

    AwsSettings(Map<String, String> environment, Properties properties, ProfileFile profiles) {
        this.environment = environment;
        this.properties = properties;
        this.profiles = profiles;
        this.profileName = systemProperty("aws.profile")
                .or(() -> variable("AWS_PROFILE"))
                .map(Setting::value)
                .orElse("default");
    }

    /** Reads the settings of this process. */
    static AwsSettings read() {
        try {
            return new AwsSettings(System.getenv(), System.getProperties(), ProfileFile.defaultProfileFile());
        } catch (IllegalArgumentException malformed) {
            throw new FailedException("the AWS profiles cannot be read: " + malformed.getMessage(), malformed);
        }
    }

    /** Rejects a Region that the option would reject. The SDK skips an empty property or variable. */
    void requireValidRegion() {
        systemProperty("aws.region")
                .or(() -> variable("AWS_REGION"))
                .filter(setting -> !setting.value().isEmpty())
                .or(() -> property("region"))
                .ifPresent(setting -> setting.requireValid(new Regions()::convert));
    }

    /** Rejects an endpoint that the option would reject, unless the user wants it to be ignored. */
    void requireValidEndpoint() {
        if (!ignoresEndpoints()) {
            systemProperty("aws.endpointUrlDynamoDb")
                    .or(() -> systemProperty("aws.endpointUrl"))
                    .or(() -> variable("AWS_ENDPOINT_URL_DYNAMODB"))
                    .or(() -> variable("AWS_ENDPOINT_URL"))
                    .or(this::endpointOfServices)
                    .or(() -> property("dynamodb.endpoint_url"))
                    .or(() -> property("endpoint_url"))
                    .ifPresent(setting -> setting.requireValid(new Endpoints()::convert));
        }
    }

    private boolean ignoresEndpoints() {
        return systemProperty("aws.ignoreConfiguredEndpointUrls")
                .or(() -> variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))
                .or(() -> property("ignore_configured_endpoint_urls"))
                .filter(setting -> setting.value().equalsIgnoreCase("true"))
                .isPresent();
    }

    private Optional<Setting> systemProperty(String name) {
        return Optional.ofNullable(properties.getProperty(name))
                .map(value -> new Setting("system property " + name, value.strip()));
    }

    private Optional<Setting> variable(String name) {
        return Optional.ofNullable(environment.get(name)).map(value -> new Setting(name, value.strip()));
    }

    private Optional<Setting> property(String name) {
        return property(profiles.profile(profileName), name, "%s of profile '%s'".formatted(name, profileName));
    }

    private Optional<Setting> endpointOfServices() {
        return property("services")
                .flatMap(services -> property(
                        profiles.getSection("services", services.value()),
                        "dynamodb.endpoint_url",
                        "endpoint_url for dynamodb of services '%s'".formatted(services.value())));
    }

    private static Optional<Setting> property(Optional<Profile> section, String key, String name) {
        return section.flatMap(properties -> properties.property(key)).map(value -> new Setting(name, value));
    }

    /** A setting with the name by which the user knows it. */
    private record Setting(String name, String value) {

        void requireValid(Consumer<String> check) {
            try {
                check.accept(value);
            } catch (TypeConversionException invalid) {
                throw new UsageException(name + ": " + invalid.getMessage());
            }
        }
    }
}
