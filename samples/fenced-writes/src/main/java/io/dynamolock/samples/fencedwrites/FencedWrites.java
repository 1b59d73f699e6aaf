/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.fencedwrites;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.PrintStream;
import java.time.Duration;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** A process is paused between its check and its write, and another one takes its lock over. */
public final class FencedWrites {

    private FencedWrites() {}

    /**
     * Shows the late writes of the paused process.
     *
     * @param args none
     * @throws Exception if DynamoDB Local cannot be started
     */
    public static void main(String[] args) throws Exception {
        try (LocalDynamoDbProcess dynamoDb = LocalDynamoDbProcess.start();
                DynamoDbClient client =
                        LocalDynamoDbProcess.client(dynamoDb.endpoint()).build()) {
            show(client, System.out);
        }
    }

    static void show(DynamoDbClient client, PrintStream out) throws InterruptedException {
        DynamoDbLockStore store =
                DynamoDbLockStore.builder(client).tableName("locks").build();
        store.table().createIfMissing(Duration.ofMinutes(1));
        Accounts accounts = new Accounts(
                DynamoDbEnhancedClient.builder().dynamoDbClient(client).build());
        accounts.createTable();
        try (LockManager locks = LockManager.builder(store).build();
                LockManager others = LockManager.builder(store).build()) {
            // Nobody renews this lease, as if its process were paused
            LockRequest once = LockRequest.of("account-7")
                    .leaseDuration(Duration.ofSeconds(3))
                    .autoRenew(false);
            Lease paused = locks.acquire(once);
            out.printf("token %d: its holder is paused, so nobody renews the lease%n", paused.fencingToken());
            Runnable lateTransaction = accounts.inTransaction(Account.of("7", "the paused holder"), paused);
            Runnable lateWrite = accounts.onItem(Account.of("7", "the paused holder"), paused);

            try (Lease next = others.acquire("account-7", Duration.ofMinutes(1))) {
                out.printf("token %d took over from %d%n", next.fencingToken(), paused.fencingToken());
                accounts.inTransaction(Account.of("7", "the next holder"), next).run();
                out.println("late write in a transaction: " + outcome(lateTransaction));
                accounts.onItem(Account.of("7", "the next holder"), next).run();
                out.println("late write on the item: " + outcome(lateWrite));
            }
        }
        out.println("stored: " + accounts.find("7").getOwner());
    }

    private static String outcome(Runnable write) {
        try {
            write.run();
            return "stored";
        } catch (TransactionCanceledException | ConditionalCheckFailedException rejected) {
            return "rejected";
        }
    }
}
