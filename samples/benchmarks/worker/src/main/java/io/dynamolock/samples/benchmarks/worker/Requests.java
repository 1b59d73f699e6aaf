/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counts requests, each attempt of a retried one, and what DynamoDB charges for them: rows of locks are below 1 KB, so a write,
 * also a rejected one, is one write unit; a consistent read is one read unit, any other half of that.
 */
final class Requests implements ExecutionInterceptor {

    private final LongAdder sent = new LongAdder();
    private final LongAdder writeUnits = new LongAdder();
    private final LongAdder halfReadUnits = new LongAdder();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        sent.increment();
        SdkRequest request = context.request();
        if (request instanceof UpdateItemRequest
                || request instanceof PutItemRequest
                || request instanceof DeleteItemRequest) {
            writeUnits.increment();
        } else if (request instanceof GetItemRequest get) {
            halfReadUnits.add(Boolean.TRUE.equals(get.consistentRead()) ? 2 : 1);
        } else if (request instanceof QueryRequest query) {
            halfReadUnits.add(Boolean.TRUE.equals(query.consistentRead()) ? 2 : 1);
        }
    }

    long sent() {
        return sent.sum();
    }

    long writeUnits() {
        return writeUnits.sum();
    }

    double readUnits() {
        return halfReadUnits.sum() / 2.0;
    }
}
