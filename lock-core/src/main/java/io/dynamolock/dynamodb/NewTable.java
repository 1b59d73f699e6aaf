/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
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

    static ProvisionedThroughput throughput(long readCapacity, long writeCapacity) {
        requireCapacity("readCapacity", readCapacity);
        requireCapacity("writeCapacity", writeCapacity);
        return ProvisionedThroughput.builder()
                .readCapacityUnits(readCapacity)
                .writeCapacityUnits(writeCapacity)
                .build();
    }

    private static void requireCapacity(String setting, long capacity) {
        if (capacity < 1) {
            throw new InvalidSettingException(setting, "must be at least 1", capacity);
        }
    }

    /** The request that creates the table, with the keys of a layout. */
    CreateTableRequest.Builder request(TableLayout layout) {
        CreateTableRequest.Builder request = CreateTableRequest.builder()
                .tableName(layout.tableName())
                .keySchema(layout.keySchema())
                .attributeDefinitions(layout.keyAttributes())
                .billingMode(throughput == null ? BillingMode.PAY_PER_REQUEST : BillingMode.PROVISIONED)
                .provisionedThroughput(throughput);
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
