/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.fencedwrites;

import io.dynamolock.Lease;
import io.dynamolock.dynamodb.Fencing;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;

/** Two ways to write an account so that only the holder of a lock can. */
final class Accounts {

    private final DynamoDbEnhancedClient client;
    private final DynamoDbTable<Account> table;

    Accounts(DynamoDbEnhancedClient client) {
        this.client = client;
        this.table = client.table("accounts", TableSchema.fromBean(Account.class));
    }

    void createTable() {
        table.createTable();
    }

    /** A transaction that is cancelled unless the lease is the one in the lock's row. The account stores no token. */
    Runnable inTransaction(Account account, Lease lease) {
        TransactWriteItemsEnhancedRequest request = Fencing.addTo(
                        TransactWriteItemsEnhancedRequest.builder().addPutItem(table, account), lease)
                .build();
        return () -> client.transactWriteItems(request);
    }

    /** A write that stores the token, and is rejected if a later holder has stored its own. */
    Runnable onItem(Account account, Lease lease) {
        account.setFence(lease.fencingToken());
        PutItemEnhancedRequest<Account> request = PutItemEnhancedRequest.builder(Account.class)
                .item(account)
                .conditionExpression(Fencing.notFencedOff(lease, "fence"))
                .build();
        return () -> table.putItem(request);
    }

    Account find(String id) {
        return table.getItem(Key.builder().partitionValue(id).build());
    }
}
