/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.profiles.ProfileProperty;

/**
 * Warns once of a web identity, as configured for pods on EKS, or of a role in a profile, that the default credentials
 * chain skips. The chain then continues with other credentials, such as the role of the node, which has other
 * permissions. Sends no request, and leaves failures to the chain.
 */
final class WebIdentity {

    private static final Logger LOG = LoggerFactory.getLogger(WebIdentity.class);
    private static final String STS =
            "software.amazon.awssdk.services.sts.internal.StsWebIdentityCredentialsProviderFactory";

    private final AtomicBoolean reported = new AtomicBoolean();

    void warnIfIgnored() {
        String warning = warning();
        if (warning != null && reported.compareAndSet(false, true)) {
            LOG.warn("{}", warning);
        }
    }

    private static @Nullable String warning() {
        String tokenFile =
                SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE.getStringValue().orElse(null);
        if (tokenFile != null) {
            return warning("AWS_WEB_IDENTITY_TOKEN_FILE (or aws.webIdentityTokenFile)", tokenFile.trim());
        }
        Map<String, String> profile = profile();
        return profile.containsKey(ProfileProperty.ROLE_ARN)
                ? warning("role_arn of the AWS profile", profile.get(ProfileProperty.WEB_IDENTITY_TOKEN_FILE))
                : null;
    }

    /**
     * Returns the warning about an identity.
     *
     * @param setting the setting that configures the identity
     * @param tokenFile its token file; null if it needs none
     * @return null if the chain can use the identity
     */
    private static @Nullable String warning(String setting, @Nullable String tokenFile) {
        if (!ClassUtils.isPresent(STS, null)) {
            return setting
                    + " is set, but the AWS SDK ignores it without its module sts, and uses other credentials if it"
                    + " finds any, such as those of the node. Add software.amazon.awssdk:sts.";
        }
        if (tokenFile != null && !isReadable(tokenFile)) {
            return setting
                    + " is set, but its token file does not exist or cannot be read: the AWS SDK uses other credentials"
                    + " if it finds any, such as those of the node. Give the process the file, or remove the setting.";
        }
        return null;
    }

    private static boolean isReadable(String file) {
        try {
            Path path = Path.of(file);
            return Files.isReadable(path) && !Files.isDirectory(path);
        } catch (InvalidPathException impossible) {
            return false;
        }
    }

    /** Returns the properties of the active profile; empty if the chain uses access keys, which take precedence. */
    private static Map<String, String> profile() {
        if (SdkSystemSetting.AWS_ACCESS_KEY_ID.getStringValue().isPresent()) {
            return Map.of();
        }
        try {
            String name = ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow();
            return ProfileFile.defaultProfileFile()
                    .profile(name)
                    .map(Profile::properties)
                    .orElse(Map.of());
        } catch (RuntimeException invalid) {
            return Map.of();
        }
    }
}
