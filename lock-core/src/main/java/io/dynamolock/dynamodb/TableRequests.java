/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static io.dynamolock.dynamodb.ForeignResponseException.requireDynamoDb;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;

/**
 * Sends the requests about one table: with a timeout, but with the retries that the application has configured, since
 * no lease expires meanwhile and each request may be repeated.
 */
final class TableRequests {

    private final DynamoDbClient client;
    private final TableLayout layout;
    private final Deadline deadline;
    private final ConnectionLimit connectionLimit;
    private final TimeSampler time;

    TableRequests(
            DynamoDbClient client,
            TableLayout layout,
            Deadline deadline,
            ConnectionLimit connectionLimit,
            TimeSampler time) {
        this.client = client;
        this.layout = layout;
        this.deadline = deadline;
        this.connectionLimit = connectionLimit;
        this.time = time;
    }

    /** Describes the table; null if it does not exist. */
    @Nullable
    TableDescription describe() {
        AwsRequestOverrideConfiguration.Builder limits = limits();
        connectionLimit.observe(limits);
        try {
            return requireDynamoDb(time.sample(() -> client.describeTable(
                            request -> request.tableName(layout.tableName()).overrideConfiguration(limits.build()))))
                    .table();
        } catch (ResourceNotFoundException missing) {
            return null;
        } catch (RuntimeException failure) {
            throw failed("Describing", "dynamodb:DescribeTable", layout, failure);
        }
    }

    /** Creates the table. False if it exists already, for example because another process was faster. */
    boolean create(NewTable newTable) {
        CreateTableRequest request =
                newTable.request(layout).overrideConfiguration(limits().build()).build();
        try {
            requireDynamoDb(client.createTable(request));
            return true;
        } catch (ResourceInUseException createdByAnother) {
            return false;
        } catch (RuntimeException failure) {
            throw failed("Creating", "dynamodb:CreateTable", layout, failure);
        }
    }

    /** Describes the TTL, without a status if the response has none. Throws the exceptions of the client. */
    TimeToLiveDescription describeTimeToLive() {
        TimeToLiveDescription found = requireDynamoDb(client.describeTimeToLive(
                        request -> request.tableName(layout.tableName()).overrideConfiguration(limits().build())))
                .timeToLiveDescription();
        return found == null ? TimeToLiveDescription.builder().build() : found;
    }

    /** Throws the exceptions of the client. */
    void enableTimeToLive() {
        requireDynamoDb(client.updateTimeToLive(request -> request.tableName(layout.tableName())
                .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(layout.ttlAttribute()))
                .overrideConfiguration(limits().build())));
    }

    /** Throws the exceptions of the client. */
    void enablePointInTimeRecovery() {
        requireDynamoDb(client.updateContinuousBackups(request -> request.tableName(layout.tableName())
                .pointInTimeRecoverySpecification(recovery -> recovery.pointInTimeRecoveryEnabled(true))
                .overrideConfiguration(limits().build())));
    }

    static LockTableException failed(String what, String action, TableLayout layout, RuntimeException failure) {
        String reason = Diagnosis.ofRetried(failure, action, layout).text();
        return new LockTableException(layout.tableName(), text(what, layout, reason), failure);
    }

    /** Returns the failure for a row without the configured partition key, which DynamoDB has not rejected. */
    static LockTableException otherKeys(String what, TableLayout layout) {
        String reason = "%s (a row has no partition key '%s' of type S)"
                .formatted(Diagnosis.otherKeys(layout), layout.partitionKey());
        return new LockTableException(layout.tableName(), text(what, layout, reason), TableProblem.UNFIT);
    }

    private static String text(String what, TableLayout layout, String reason) {
        return what + " " + layout.name() + layout.at() + " failed: " + reason;
    }

    /** Twice with the timeout: an interceptor of the client may replace the configuration of the request. */
    private AwsRequestOverrideConfiguration.Builder limits() {
        Duration timeout = deadline.forRequest();
        return retrying(client, AwsRequestOverrideConfiguration.builder().apiCallTimeout(timeout))
                .addPlugin(changing(own -> own.apiCallTimeout(timeout)));
    }

    /** Adds retries to a client without any: no other code retries a request about the table. */
    static AwsRequestOverrideConfiguration.Builder retrying(
            DynamoDbClient client, AwsRequestOverrideConfiguration.Builder limits) {
        return Clients.retries(client)
                ? limits
                : limits.addPlugin(changing(own -> own.retryStrategy(AwsRetryStrategy.standardRetryStrategy())));
    }

    private static SdkPlugin changing(Consumer<ClientOverrideConfiguration.Builder> change) {
        return client ->
                client.overrideConfiguration(client.overrideConfiguration().copy(change));
    }
}
