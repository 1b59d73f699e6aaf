/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/**
 * The operations that the library needs, on an asynchronous client: the calling thread blocks until the response
 * arrives, and gets the same exceptions as from a synchronous client. Timeouts are those of the requests. The
 * application owns the client.
 */
final class BlockingClient implements DynamoDbClient {

    private final DynamoDbAsyncClient client;

    BlockingClient(DynamoDbAsyncClient client) {
        this.client = client;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return await(client::updateItem, request);
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return await(client::getItem, request);
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
        return await(client::scan, request);
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
        return await(client::describeTable, request);
    }

    @Override
    public CreateTableResponse createTable(CreateTableRequest request) {
        return await(client::createTable, request);
    }

    @Override
    public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
        return await(client::describeTimeToLive, request);
    }

    @Override
    public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
        return await(client::updateTimeToLive, request);
    }

    @Override
    public UpdateContinuousBackupsResponse updateContinuousBackups(UpdateContinuousBackupsRequest request) {
        return await(client::updateContinuousBackups, request);
    }

    /**
     * Sends nothing on an interrupted thread. One that is interrupted later returns immediately; its request ends by
     * its timeout, as the SDK does not pass a cancellation on. An interrupt that the SDK itself notices, before it has
     * sent the request, ends up as a cause of the failure, and is set again.
     */
    private static <Q, R> R await(Function<Q, CompletableFuture<R>> operation, Q request) {
        if (Thread.currentThread().isInterrupted()) {
            throw AbortedException.create("Thread was interrupted");
        }
        CompletableFuture<R> response = operation.apply(request);
        boolean failedOnThisThread = response.isCompletedExceptionally();
        try {
            return response.get();
        } catch (InterruptedException interrupt) {
            throw aborted(interrupt);
        } catch (ExecutionException failed) {
            if (failedOnThisThread && Diagnosis.hasCause(failed, InterruptedException.class::isInstance)) {
                throw aborted(failed);
            }
            throw unchecked(failed);
        }
    }

    private static AbortedException aborted(Throwable interrupt) {
        Thread.currentThread().interrupt();
        return AbortedException.create("Thread was interrupted", interrupt);
    }

    private static RuntimeException unchecked(ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
            throw error;
        }
        return failed.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(failed.getCause());
    }

    @Override
    public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
        return client.serviceClientConfiguration();
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    @Override
    public void close() {
        client.close();
    }
}
