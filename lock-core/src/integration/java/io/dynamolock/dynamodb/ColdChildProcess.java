/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Main class of a JVM that {@link ChildJvm} starts: immediately acquires one lock and prints the result. */
final class ColdChildProcess {

    private ColdChildProcess() {}

    public static void main(String[] args) {
        long started = System.nanoTime();
        String result;
        try (DynamoDbClient client = LocalDynamoDb.newClient(URI.create(args[0]))
                        .httpClient(LocalDynamoDb.newHttpClient())
                        .build();
                LockManager locks = LockManager.builder(DynamoDbLockStore.builder(client)
                                .tableName(args[1])
                                .build())
                        .leaseDuration(Duration.ofMillis(Long.parseLong(args[2])))
                        .build()) {
            Lease lease = locks.tryAcquire(args[3]).orElseThrow();
            result = lease.isHeld() ? "held" : "lost at once";
        } catch (RuntimeException failure) {
            result = failure.toString();
        }
        long millis = (System.nanoTime() - started) / 1_000_000;
        System.out.println(ChildJvm.SAYS + result + " after " + millis + " ms");
    }
}
