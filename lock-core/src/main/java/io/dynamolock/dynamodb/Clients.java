/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What can be told from a client that the application has made. */
final class Clients {

    private Clients() {}

    /** Null if the client, a wrapper for example, does not say. */
    static @Nullable String region(DynamoDbClient client) {
        try {
            Region region = client.serviceClientConfiguration().region();
            return region == null ? null : region.id();
        } catch (UnsupportedOperationException notTold) {
            return null;
        }
    }

    /** Whether the client may send a request again by itself. */
    static boolean retries(DynamoDbClient client) {
        try {
            return client.serviceClientConfiguration()
                    .overrideConfiguration()
                    .retryStrategy()
                    .map(strategy -> strategy.maxAttempts() > 1)
                    .orElse(true);
        } catch (UnsupportedOperationException notTold) {
            return true;
        }
    }

    static void refuseAccelerator(DynamoDbClient client) {
        for (Class<?> type = client.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().contains(".dax.")) {
                throw new IllegalArgumentException("client must not be one for DynamoDB Accelerator (" + type.getName()
                        + "): its reads may be old; give the store a plain DynamoDbClient");
            }
        }
    }
}
