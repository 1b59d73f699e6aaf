/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Reads what a client of the application reveals about its configuration. */
final class Clients {

    /** Begins the names of the SDK's own classes. */
    private static final String SDK = "software.amazon.awssdk.";

    private Clients() {}

    /** The Region of a client; null if the client, for example a wrapper, does not reveal it. */
    static @Nullable String region(DynamoDbClient client) {
        try {
            Region region = client.serviceClientConfiguration().region();
            return region == null ? null : region.id();
        } catch (UnsupportedOperationException hidden) {
            return null;
        }
    }

    /** The endpoint of a client without credentials and path; null if it is that of the Region, or unknown. */
    static @Nullable String endpoint(DynamoDbClient client) {
        try {
            return client.serviceClientConfiguration()
                    .endpointOverride()
                    .map(uri ->
                            uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()))
                    .orElse(null);
        } catch (UnsupportedOperationException notTold) {
            return null;
        }
    }

    /** Whether the client may retry a request itself. */
    static boolean retries(DynamoDbClient client) {
        return may(client, configuration -> configuration.retryStrategy().map(strategy -> strategy.maxAttempts() > 1));
    }

    /** Whether the client may use the SDK's own timer; the SDK wraps those of others. */
    static boolean usesTimerOfSdk(DynamoDbClient client) {
        return may(
                client,
                configuration ->
                        configuration.scheduledExecutorService().map(ScheduledThreadPoolExecutor.class::isInstance));
    }

    /** Whether the client may have interceptors that are not the SDK's, which can change its requests. */
    static boolean isIntercepted(DynamoDbClient client) {
        return may(
                client,
                configuration -> Optional.of(configuration.executionInterceptors().stream()
                        .anyMatch(
                                interceptor -> !interceptor.getClass().getName().startsWith(SDK))));
    }

    /** Returns what the configuration of a client says; true if it says nothing, or is hidden. */
    private static boolean may(
            DynamoDbClient client, Function<ClientOverrideConfiguration, Optional<Boolean>> configured) {
        try {
            return configured
                    .apply(client.serviceClientConfiguration().overrideConfiguration())
                    .orElse(true);
        } catch (UnsupportedOperationException hidden) {
            return true;
        }
    }

    /** Rejects a mock, which returns nothing: a write would look like a failure of this library. */
    static void rejectMock(DynamoDbClient client, SdkClient given) {
        try {
            if (client.serviceClientConfiguration() == null) {
                throw new InvalidSettingException(
                        "client",
                        "must send requests, which a mock does not: use an InMemoryLockStore in tests",
                        given.getClass().getName());
            }
        } catch (UnsupportedOperationException hidden) {
            // A wrapper that does not reveal its configuration
        }
    }

    static void rejectAccelerator(SdkClient client) {
        for (Class<?> type = client.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().contains(".dax.")) {
                throw new InvalidSettingException(
                        "client",
                        "must be a plain DynamoDbClient or DynamoDbAsyncClient, not one of DynamoDB Accelerator, whose reads can be stale",
                        type.getName());
            }
        }
    }
}
