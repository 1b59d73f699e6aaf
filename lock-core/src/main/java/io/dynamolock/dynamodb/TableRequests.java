/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/** Sends the requests about one table. */
final class TableRequests {

    private final DynamoDbClient client;
    private final TableLayout layout;
    private final NewTable newTable;

    TableRequests(DynamoDbClient client, TableLayout layout, NewTable newTable) {
        this.client = client;
        this.layout = layout;
        this.newTable = newTable;
    }

    /** Describes the table; null if it does not exist. */
    @Nullable
    TableDescription describe() {
        try {
            return client.describeTable(request -> request.tableName(layout.tableName()))
                    .table();
        } catch (ResourceNotFoundException missing) {
            return null;
        } catch (RuntimeException failure) {
            throw failed("Describing", "dynamodb:DescribeTable", failure);
        }
    }

    /** Creates the table. False if it exists already, for example because another process was faster. */
    boolean create() {
        try {
            layout.enhancedTable(client, layout.schema())
                    .createTable(request -> request.provisionedThroughput(newTable.throughput()));
            return true;
        } catch (ResourceInUseException createdByAnother) {
            return false;
        } catch (RuntimeException failure) {
            throw failed("Creating", "dynamodb:CreateTable", failure);
        }
    }

    /** Throws the exceptions of the SDK. */
    TimeToLiveDescription describeTimeToLive() {
        return client.describeTimeToLive(request -> request.tableName(layout.tableName()))
                .timeToLiveDescription();
    }

    /** Throws the exceptions of the SDK. */
    void enableTimeToLive() {
        client.updateTimeToLive(request -> request.tableName(layout.tableName())
                .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(layout.ttlAttribute())));
    }

    /** Throws the exceptions of the SDK. */
    void enablePointInTimeRecovery() {
        client.updateContinuousBackups(request -> request.tableName(layout.tableName())
                .pointInTimeRecoverySpecification(recovery -> recovery.pointInTimeRecoveryEnabled(true)));
    }

    LockTableException failed(String what, String action, RuntimeException failure) {
        String text = what + " " + layout.name() + " failed: "
                + Diagnosis.of(failure, action, layout).text();
        return new LockTableException(layout.tableName(), text, failure);
    }
}
