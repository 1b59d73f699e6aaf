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
 * Warns once of a web identity, as pods on EKS have it, or of a role in a profile, that the default credentials chain passes
 * over. It goes on to other credentials then, such as the role of the node, which has other rights. Sends nothing, and leaves
 * failures to the chain.
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
     * What is wrong with an identity.
     *
     * @param setting where it is set
     * @param tokenFile null if it needs none
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

    /** The properties of the profile in use; none if the chain does not come to it, since keys come first. */
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
