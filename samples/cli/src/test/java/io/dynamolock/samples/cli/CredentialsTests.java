/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.utils.StringInputStream;

/** Reads the messages that the AWS SDK really has. */
class CredentialsTests {

    @Test
    void reasonIsThatOfTheProfileThatTheUserChose() {
        assertThat(missing("", "nope"))
                .isEqualTo("no AWS credentials in profile 'nope': Profile file contained no credentials for profile"
                        + " 'nope' (--debug shows more)");
        assertThat(missing("[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = missing\n", "role"))
                .startsWith("no AWS credentials in profile 'role': ")
                .contains("'missing'");
    }

    @Test
    void withoutProfileTheUsualPlacesAreNamed() {
        assertThat(missing("", null)).startsWith("no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and ");
        assertThat(Credentials.missing("Unable to load credentials", "work"))
                .startsWith("no AWS credentials: set AWS_PROFILE, or ");
    }

    private static String missing(String configuration, @Nullable String profile) {
        ProfileFile file = ProfileFile.builder()
                .content(new StringInputStream(configuration))
                .type(ProfileFile.Type.CONFIGURATION)
                .build();
        AwsCredentialsProviderChain chain = AwsCredentialsProviderChain.of(
                ProfileCredentialsProvider.builder()
                        .profileFile(file)
                        .profileName(profile)
                        .build(),
                ContainerCredentialsProvider.builder().build());
        return Credentials.missing(
                String.valueOf(catchThrowable(chain::resolveCredentials).getMessage()), profile);
    }
}
