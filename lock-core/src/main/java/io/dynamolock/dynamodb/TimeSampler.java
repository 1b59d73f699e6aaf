/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockStore.TimeSample;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;

/** Samples DynamoDB's time with requests that are sent anyway. */
final class TimeSampler {

    private final Clocks clocks;
    private final ServerDate dates = new ServerDate();
    private volatile @Nullable TimeSample last;

    TimeSampler(Clocks clocks) {
        this.clocks = clocks;
    }

    <T extends DynamoDbResponse> T sample(Supplier<T> request) {
        long sent = clocks.nanoTime();
        Instant sentAt = clocks.wallTime();
        T response = request.get();
        long received = clocks.nanoTime();
        Instant receivedAt = clocks.wallTime();
        Instant date = dates.of(response.sdkHttpResponse());
        if (date != null) {
            last = new TimeSample(sent, sentAt, received, receivedAt, date);
        }
        return response;
    }

    /** The last sample; null if no response carried a time. */
    @Nullable
    TimeSample last() {
        return last;
    }
}
