/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.Tag;

/**
 * The options of a table that the library creates, in addition to its keys.
 *
 * @param throughput null for on-demand billing
 */
record NewTable(
        @Nullable ProvisionedThroughput throughput,
        boolean deletionProtection,
        boolean pointInTimeRecovery,
        Map<String, String> tags) {

    NewTable {
        tags = Map.copyOf(tags);
    }

    /** Adds the options that the enhanced client's request does not support. */
    CreateTableRequest.Builder addTo(CreateTableRequest.Builder request) {
        if (deletionProtection) {
            request.deletionProtectionEnabled(true);
        }
        if (!tags.isEmpty()) {
            request.tags(tags.entrySet().stream()
                    .map(tag -> Tag.builder()
                            .key(tag.getKey())
                            .value(tag.getValue())
                            .build())
                    .toList());
        }
        return request;
    }
}
