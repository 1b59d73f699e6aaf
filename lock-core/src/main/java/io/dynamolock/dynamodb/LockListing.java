/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static io.dynamolock.dynamodb.ForeignResponseException.requireDynamoDb;

import io.dynamolock.StoredLock;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.PageIterable;
import software.amazon.awssdk.enhanced.dynamodb.model.ScanEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The rows of a table through the enhanced client, page by page. */
final class LockListing {

    static final String WHAT = "Listing the locks of";

    private final TableLayout layout;
    private final DynamoDbTable<StoredLock> table;

    LockListing(DynamoDbClient client, TableLayout layout, HonoredLocks honored) {
        this.layout = layout;
        this.table = DynamoDbEnhancedClient.builder()
                .dynamoDbClient(new Scans(client))
                .extensions(List.of()) // they would modify requests
                .build()
                .table(layout.tableName(), new LockSchema(layout, honored));
    }

    DynamoDbTable<StoredLock> table() {
        return table;
    }

    Stream<StoredLock> locks() {
        ScanEnhancedRequest.Builder scan = ScanEnhancedRequest.builder().consistentRead(true);
        if (layout.sortKey() != null) {
            scan.filterExpression(Expression.builder()
                    .expression("#sortKey = :sortKey")
                    .putExpressionName("#sortKey", layout.sortKey())
                    .putExpressionValue(":sortKey", AttributeValue.fromS(layout.sortKeyValue()))
                    .build());
        }
        ScanEnhancedRequest request = scan.build();
        int shape = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(
                () -> Spliterators.spliteratorUnknownSize(new Pages(table.scan(request)), shape), shape, false);
    }

    /** Translates the failures of the requests that fetch the pages. */
    private final class Pages implements Iterator<StoredLock> {

        private final Iterator<StoredLock> locks;

        /** Requests the first page. */
        Pages(PageIterable<StoredLock> pages) {
            this.locks = translated(() -> pages.items().iterator());
        }

        @Override
        public boolean hasNext() {
            return translated(locks::hasNext);
        }

        @Override
        public StoredLock next() {
            return translated(locks::next);
        }

        private <T> T translated(Supplier<T> step) {
            try {
                return step.get();
            } catch (LockTableException otherKeys) {
                throw otherKeys;
            } catch (RuntimeException failure) {
                throw TableRequests.failed(WHAT, "dynamodb:Scan", layout, failure);
            }
        }
    }

    /** The client of the table, for pages only. */
    private record Scans(DynamoDbClient client) implements DynamoDbClient {

        @Override
        public ScanResponse scan(ScanRequest page) {
            AwsRequestOverrideConfiguration.Builder limits = page.overrideConfiguration()
                    .map(AwsRequestOverrideConfiguration::toBuilder)
                    .orElseGet(AwsRequestOverrideConfiguration::builder);
            return requireDynamoDb(client.scan(page.toBuilder()
                    .overrideConfiguration(
                            TableRequests.retrying(client, limits).build())
                    .build()));
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
}
