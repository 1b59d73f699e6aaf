/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.time.RequestTimer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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

    /** Copies each request of any client to add the user agent of the enhanced client, which locks do not use. */
    private static final String USER_AGENT_OF_ENHANCED_CLIENT =
            "software.amazon.awssdk.enhanced.dynamodb.internal.ApplyUserAgentInterceptor";

    private final @Nullable Consumer<ClientOverrideConfiguration.Builder> changes;

    /** Cached, because most requests have the same timeout. */
    private volatile Limit last;

    OneAttempt(DynamoDbClient client) {
        this.changes = changes(client);
        this.last = limit(Duration.ofSeconds(1));
    }

    /** Configures a client as {@link DynamoDbLockStore#configureClient} says. */
    static void configure(SdkServiceClientConfiguration.Builder client) {
        client.overrideConfiguration(client.overrideConfiguration().copy(own -> {
            sendOnce(own, new RequestTimer());
            own.executionInterceptors(own.executionInterceptors().stream()
                    .filter(interceptor -> !interceptor.getClass().getName().equals(USER_AGENT_OF_ENHANCED_CLIENT))
                    .toList());
        }));
    }

    private static void sendOnce(ClientOverrideConfiguration.Builder client, RequestTimer timer) {
        sendOnce(client);
        client.scheduledExecutorService(timer);
    }

    private static void sendOnce(ClientOverrideConfiguration.Builder client) {
        client.retryStrategy(AwsRetryStrategy.doNotRetry());
    }

    /**
     * The SDK's own timer wakes a thread for each timeout, also of an answered request, which takes twice the time of
     * the plugin. An asynchronous client keeps it: once closed, it sends nothing, although its connections close later.
     */
    private static @Nullable Consumer<ClientOverrideConfiguration.Builder> changes(DynamoDbClient client) {
        boolean always = Clients.retries(client) || Clients.isIntercepted(client);
        if (client instanceof BlockingClient) {
            return always ? OneAttempt::sendOnce : null;
        }
        RequestTimer timer = new RequestTimer();
        return always || Clients.usesTimerOfSdk(client) ? changed -> sendOnce(changed, timer) : null;
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
        Duration bounded = bounded(timeout);
        AwsRequestOverrideConfiguration.Builder configuration =
                AwsRequestOverrideConfiguration.builder().apiCallTimeout(bounded);
        if (changes != null) {
            configuration.addPlugin(new Changes(changes.andThen(client -> client.apiCallTimeout(bounded))));
        }
        return new Limit(timeout, configuration.build());
    }

    private static Duration bounded(Duration timeout) {
        if (timeout.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
    }

    private record Limit(Duration timeout, AwsRequestOverrideConfiguration configuration) {}

    /**
     * Makes the SDK copy the client's configuration for each request, which takes some 25 µs: not used with a client
     * for locks, unless it has interceptors of others. One that replaces the configuration of the request removes the
     * timeout there, but not in the copy. The rest of the client's configuration stays.
     */
    private static final class Changes implements SdkPlugin {

        private final ClientOverrideConfiguration changes;

        Changes(Consumer<ClientOverrideConfiguration.Builder> changes) {
            this.changes =
                    ClientOverrideConfiguration.builder().applyMutation(changes).build();
        }

        @Override
        public void configureClient(SdkServiceClientConfiguration.Builder client) {
            client.overrideConfiguration(changes);
        }
    }
}
