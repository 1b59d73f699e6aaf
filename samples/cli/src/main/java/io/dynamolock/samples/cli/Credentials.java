/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;

/**
 * Credentials from the places of the SDK's default chain, which drops the causes of its failure. This one keeps why the
 * profile gives none: to ask the profile again would run its {@code credential_process} again.
 */
final class Credentials implements AwsCredentialsProvider {

    private static final String NOTHING_SET = "Profile file contained no credentials for profile";

    private final AwsCredentialsProvider chain = AwsCredentialsProviderChain.of(
            SystemPropertyCredentialsProvider.create(),
            EnvironmentVariableCredentialsProvider.create(),
            WebIdentityTokenFileCredentialsProvider.create(),
            new OfProfile(),
            ContainerCredentialsProvider.create(),
            InstanceProfileCredentialsProvider.create());

    private volatile @Nullable RuntimeException failureOfProfile;

    /** Throws the SDK's exception, with that of the profile as suppressed. */
    @Override
    public AwsCredentials resolveCredentials() {
        try {
            return chain.resolveCredentials();
        } catch (RuntimeException failure) {
            RuntimeException ofProfile = failureOfProfile;
            if (ofProfile != null && ofProfile != failure) {
                failure.addSuppressed(ofProfile);
            }
            throw failure;
        }
    }

    @Override
    public String toString() {
        return chain.toString();
    }

    private final class OfProfile implements AwsCredentialsProvider {

        private final AwsCredentialsProvider profile = ProfileCredentialsProvider.create();

        @Override
        public AwsCredentials resolveCredentials() {
            try {
                return profile.resolveCredentials();
            } catch (RuntimeException failure) {
                failureOfProfile = failure;
                throw failure;
            }
        }

        @Override
        public String toString() {
            return profile.toString();
        }
    }

    /** Returns the reason why the profile gave none, or where to set some. */
    static String missing(Throwable failure) {
        return missing(failure, System.getProperty("aws.profile", System.getenv("AWS_PROFILE")));
    }

    /**
     * Returns the reason.
     *
     * @param failure that of the credentials, with that of the profile as suppressed
     * @param chosen the profile that the user has chosen; null if none
     */
    static String missing(Throwable failure, @Nullable String chosen) {
        for (Throwable ofProfile : failure.getSuppressed()) {
            String reason = sentence(ofProfile);
            if (chosen != null || !reason.startsWith(NOTHING_SET)) {
                String cause = ofProfile.getCause() == null ? "" : sentence(ofProfile.getCause()) + "; ";
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
