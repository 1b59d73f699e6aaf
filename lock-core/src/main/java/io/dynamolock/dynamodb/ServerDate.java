/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Reads DynamoDB's time from the {@code Date} header of a response. A date that an intermediary may have cached is
 * ignored.
 */
final class ServerDate {

    /** Caches the parsed date, because the text changes only once per second. */
    private volatile Seen last = new Seen("", null);

    @Nullable
    Instant of(AwsServiceException rejection) {
        AwsErrorDetails details = rejection.awsErrorDetails();
        return details == null ? null : of(details.sdkHttpResponse());
    }

    @Nullable
    Instant of(@Nullable SdkHttpResponse response) {
        if (response == null || has(response, "Age") || has(response, "Via")) {
            return null;
        }
        String text = response.firstMatchingHeader("Date").orElse("");
        Seen seen = last;
        if (!seen.text.equals(text)) {
            seen = new Seen(text, parse(text));
            last = seen;
        }
        return seen.date;
    }

    private static boolean has(SdkHttpResponse response, String header) {
        return response.firstMatchingHeader(header).isPresent();
    }

    private static @Nullable Instant parse(String text) {
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
        } catch (DateTimeException notADate) {
            return null;
        }
    }

    private record Seen(String text, @Nullable Instant date) {}
}
