/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The configuration of a request about a lock: sent once, with a timeout. The client belongs to the application and may
 * retry; code that computes the remaining time of a lease cannot allow that. With a single attempt, the timeout of the
 * call is that of the attempt.
 */
final class OneAttempt {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Longer than any operation on a lease, and not too long for the SDK's timer. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final boolean clientRetries;

    /** Cached, because most requests have the same timeout. */
    private volatile Limit last;

    OneAttempt(DynamoDbClient client) {
        this.clientRetries = Clients.retries(client);
        this.last = limit(Duration.ofSeconds(1));
    }

    AwsRequestOverrideConfiguration within(Duration timeout) {
        Limit limit = last;
        if (!limit.timeout.equals(timeout)) {
            limit = limit(timeout);
            last = limit;
        }
        return limit.configuration;
    }

    private Limit limit(Duration timeout) {
        Duration bounded = timeout.compareTo(SHORTEST) < 0 ? SHORTEST : timeout;
        bounded = bounded.compareTo(LONGEST) > 0 ? LONGEST : bounded;
        AwsRequestOverrideConfiguration.Builder configuration =
                AwsRequestOverrideConfiguration.builder().apiCallTimeout(bounded);
        if (clientRetries) {
            configuration.addPlugin(new NoRetries());
        }
        return new Limit(timeout, configuration.build());
    }

    private record Limit(Duration timeout, AwsRequestOverrideConfiguration configuration) {}

    /**
     * Makes the SDK copy the client's configuration for each request, which takes some 10 µs: not used if the client
     * never retries. Only the retry strategy is set, as the rest of the client's configuration stays then.
     */
    private static final class NoRetries implements SdkPlugin {

        private static final ClientOverrideConfiguration ONLY_STRATEGY = ClientOverrideConfiguration.builder()
                .retryStrategy(AwsRetryStrategy.doNotRetry())
                .build();

        @Override
        public void configureClient(SdkServiceClientConfiguration.Builder client) {
            client.overrideConfiguration(ONLY_STRATEGY);
        }
    }
}
