/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.plainjava;

import io.dynamolock.LockManager;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Assembles a store and lock managers. */
public final class PlainJava {

    private PlainJava() {}

    /**
     * Ships an order in two ways, with two managers as two processes would have.
     *
     * @param args none
     * @throws Exception if DynamoDB Local cannot be started
     */
    public static void main(String[] args) throws Exception {
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start();
                DynamoDbClient client =
                        LocalDynamoDbProcess.client(dynamoDb.endpoint()).build()) { // on AWS: DynamoDbClient.create()
            DynamoDbLockStore store =
                    DynamoDbLockStore.builder(client).tableName("locks").build();
            store.table().createIfMissing(Duration.ofMinutes(1)); // or by your infrastructure code
            try (LockManager one = LockManager.builder(store).owner("process-1").build();
                    LockManager other =
                            LockManager.builder(store).owner("process-2").build()) {
                Orders here = new Orders(one);
                Orders there = new Orders(other);
                System.out.println(here.ship("4711", () -> System.out.println(there.shipIfFree("4711"))));
                System.out.println(there.shipIfFree("4711"));
            }
        }
    }
}
