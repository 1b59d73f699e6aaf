/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static io.dynamolock.LockSettings.DEFAULTS;
import static java.util.Objects.requireNonNullElse;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;

/**
 * Connection to DynamoDB.
 *
 * @param region AWS Region of the client that is created if the application has none. By default found by the AWS SDK.
 * @param endpoint Endpoint that overrides the one of the Region.
 * @param accessKey Access key of static credentials. By default found by the AWS SDK.
 * @param secretKey Secret key of static credentials.
 * @param attemptTimeout Timeout of one request, at most half of the lease. By default a third of the lease, from 1 s to 2 s. If a duration suffix is not specified, seconds will be used.
 * @param callTimeout Timeout of one operation, including all retries: how long a call blocks if DynamoDB does not respond. By default half of the lease, at most 10 s. If a duration suffix is not specified, seconds will be used.
 * @param firstResponseTimeout Timeout of one operation until the first acquire of the process is answered, and of one that has to read the store's time. The call timeout applies if it is longer. By default 10 s, or the call timeout if set. If a duration suffix is not specified, seconds will be used.
 * @param maxConcurrentRequests Maximum number of concurrent requests by calling threads. Further callers wait.
 * @since 0.1
 */
public record ClientProperties(
        @Nullable String region,
        @Nullable URI endpoint,
        @Nullable String accessKey,
        @Nullable String secretKey,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration attemptTimeout,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration callTimeout,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration firstResponseTimeout,
        Integer maxConcurrentRequests) {

    @SuppressWarnings("NullAway") // the constructor replaces null
    static final ClientProperties DEFAULT = new ClientProperties(null, null, null, null, null, null, null, null);

    public ClientProperties {
        maxConcurrentRequests = requireNonNullElse(maxConcurrentRequests, DEFAULTS.maxConcurrentRequests());
    }

    /** Returns the keys of the connection that are set. */
    List<String> connectionKeys() {
        return Stream.of(
                        region == null ? null : DynamoDbClientFactory.REGION,
                        endpoint == null ? null : DynamoDbClientFactory.ENDPOINT,
                        accessKey == null ? null : DynamoDbClientFactory.ACCESS_KEY,
                        secretKey == null ? null : DynamoDbClientFactory.SECRET_KEY)
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public String toString() {
        return ("ClientProperties[region=%s, endpoint=%s, accessKey=%s, secretKey=%s, attemptTimeout=%s, callTimeout=%s,"
                        + " firstResponseTimeout=%s, maxConcurrentRequests=%s]")
                .formatted(
                        region,
                        endpoint,
                        Secrets.masked(accessKey),
                        Secrets.masked(secretKey),
                        attemptTimeout,
                        callTimeout,
                        firstResponseTimeout,
                        maxConcurrentRequests);
    }
}
