/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Applies all writes of one transaction, or none. */
final class FakeTransaction {

    private static final CancellationReason NONE =
            CancellationReason.builder().code("None").build();

    private final Map<FakeKeys.Key, Map<String, AttributeValue>> afterwards = new LinkedHashMap<>();
    private final List<CancellationReason> reasons = new ArrayList<>();

    private boolean rejected;

    private FakeTransaction() {}

    /** Rejects the transaction if one of its writes is rejected. */
    static FakeTransaction of(
            TransactWriteItemsRequest request,
            FakeWrites writes,
            Function<FakeKeys.Key, Map<String, AttributeValue>> rows) {
        List<FakeWrite> all = new ArrayList<>();
        for (TransactWriteItem item : request.transactItems()) {
            all.add(writes.of(item));
        }
        if (all.isEmpty() || all.stream().map(FakeWrite::key).distinct().count() < all.size()) {
            throw FakeErrors.validation("Transaction request cannot include multiple operations on one item");
        }
        FakeTransaction transaction = new FakeTransaction();
        all.forEach(write -> transaction.add(write, rows.apply(write.key())));
        if (transaction.rejected) {
            throw FakeErrors.cancelled(transaction.reasons);
        }
        return transaction;
    }

    private void add(FakeWrite write, Map<String, AttributeValue> item) {
        if (!write.holds(item)) {
            reject(rejection(write.tellsItem() && !item.isEmpty() ? item : null));
            return;
        }
        try {
            Map<String, AttributeValue> after = write.after(item);
            reasons.add(NONE);
            if (after != item) {
                afterwards.put(write.key(), after);
            }
        } catch (DynamoDbException invalid) {
            reject(CancellationReason.builder()
                    .code("ValidationError")
                    .message(invalid.getMessage())
                    .build());
        }
    }

    private void reject(CancellationReason reason) {
        rejected = true;
        reasons.add(reason);
    }

    private static CancellationReason rejection(@Nullable Map<String, AttributeValue> item) {
        return CancellationReason.builder()
                .code("ConditionalCheckFailed")
                .message("The conditional request failed")
                .item(item)
                .build();
    }

    /** The rows that change, empty if nothing is left. */
    Map<FakeKeys.Key, Map<String, AttributeValue>> afterwards() {
        return afterwards;
    }
}
