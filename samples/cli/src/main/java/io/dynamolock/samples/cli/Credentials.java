/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;

/** Explains why the AWS SDK found no credentials, instead of its list of all places. */
final class Credentials {

    private static final String NOTHING_SET = "Profile file contained no credentials for profile";

    private Credentials() {}

    /** Returns the reason why the profile gives none, or where to set some. */
    static String missing() {
        try (ProfileCredentialsProvider profile = ProfileCredentialsProvider.create()) {
            return missing(profile, System.getenv("AWS_PROFILE"));
        }
    }

    /**
     * Asks the profile once more, since the SDK's list has no causes.
     *
     * @param profile the provider of the profile's credentials
     * @param chosen the profile that the user has chosen; null if none
     */
    static String missing(AwsCredentialsProvider profile, @Nullable String chosen) {
        try {
            profile.resolveCredentials();
        } catch (RuntimeException failure) {
            String reason = sentence(failure);
            if (chosen != null || !reason.startsWith(NOTHING_SET)) {
                String cause = failure.getCause() == null ? "" : sentence(failure.getCause()) + "; ";
                return "no AWS credentials in profile '%s': %s (%s--debug shows more)"
                        .formatted(chosen == null ? "default" : chosen, reason, cause);
            }
        }
        return "no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                + " or run where a role provides them (--debug shows more)";
    }

    private static String sentence(Throwable failure) {
        return String.valueOf(failure.getMessage())
                .strip()
                .replaceFirst(": ProfileFile\\(.*", "")
                .replaceFirst("\\.$", "");
    }
}
