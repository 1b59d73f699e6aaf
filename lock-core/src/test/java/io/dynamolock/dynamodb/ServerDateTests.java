/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

class ServerDateTests {

    private static final String TEXT = "Fri, 01 May 2026 12:00:00 GMT";
    private static final Instant DATE = Instant.parse("2026-05-01T12:00:00Z");

    private final ServerDate dates = new ServerDate();

    @Test
    void readsDateOfResponse() {
        assertThat(dates.of(response("Date", TEXT))).isEqualTo(DATE);
        assertThat(dates.of(response("date", TEXT))).isEqualTo(DATE);
    }

    @Test
    void readsEachDateFresh() {
        dates.of(response("Date", TEXT));

        assertThat(dates.of(response("Date", "Fri, 01 May 2026 12:00:01 GMT"))).isEqualTo(DATE.plusSeconds(1));
        assertThat(dates.of(response("Date", TEXT))).isEqualTo(DATE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2026-05-01T12:00:00Z",
                "Fri, 01 May 2026 12:00:00",
                "Mon, 01 May 2026 12:00:00 GMT",
                "Fri, 32 May 2026 12:00:00 GMT"
            })
    void invalidDateIsNone(String text) {
        assertThat(dates.of(response("Date", text))).isNull();
    }

    @Test
    void missingDateIsNone() {
        assertThat(dates.of(response("Server", "x"))).isNull();
        assertThat(dates.of((SdkHttpResponse) null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Age", "Via", "via"})
    void possiblyCachedDateIsNone(String header) {
        SdkHttpResponse kept =
                response("Date", TEXT).toBuilder().putHeader(header, "1").build();

        assertThat(dates.of(kept)).isNull();
    }

    @Test
    void rejectionWithoutDetailsHasNoDate() {
        assertThat(dates.of(ConditionalCheckFailedException.builder().build())).isNull();
    }

    private static SdkHttpFullResponse response(String header, String value) {
        return SdkHttpFullResponse.builder()
                .statusCode(200)
                .putHeader(header, value)
                .build();
    }
}
