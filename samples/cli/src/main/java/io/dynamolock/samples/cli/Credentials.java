/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why the AWS SDK found no credentials, instead of its list of all places. */
final class Credentials {

    private static final String PROFILE = "ProfileCredentialsProvider(profileName=";
    private static final String NEXT = ", ContainerCredentialsProvider(";

    private Credentials() {}

    /**
     * Returns the reason why a profile gives none, or where to set some.
     *
     * @param message the SDK's message
     * @param profile the profile that the user has chosen; null if none
     */
    static String missing(String message, @Nullable String profile) {
        return Optional.ofNullable(profile)
                        .flatMap(chosen -> reason(message)
                                .map(reason -> "no AWS credentials in profile '%s': %s".formatted(chosen, reason)))
                        .orElse("no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                                + " or run where a role provides them")
                + " (--debug shows more)";
    }

    /** The list of providers precedes that of their reasons. */
    private static Optional<String> reason(String message) {
        int profile = message.lastIndexOf(PROFILE);
        int start = message.indexOf(")): ", profile);
        int end = message.indexOf(NEXT, start);
        return profile < 0 || start < 0 || end < 0
                ? Optional.empty()
                : Optional.of(message.substring(start + 4, end)
                        .replaceFirst(": ProfileFile\\(.*", "")
                        .replaceFirst("\\.$", ""));
    }
}
