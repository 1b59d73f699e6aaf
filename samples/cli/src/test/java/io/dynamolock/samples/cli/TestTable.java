/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table of its own on DynamoDB Local, with a lock manager that is not the program's. */
final class TestTable implements AutoCloseable {

    static final String REGION = "eu-west-1";
    static final String KEY = "test";

    /** One for all tests of this JVM, with which it ends. */
    private static final URI SERVER = start();

    private final String name = "locks-" + UUID.randomUUID();
    private final DynamoDbClient client = DynamoDbClient.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .endpointOverride(SERVER)
            .region(Region.of(REGION))
            .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, KEY)))
            .build();
    private final LockManager locks = LockManager.builder(store())
            .owner("rival")
            .shutdownGrace(Duration.ZERO)
            .build();

    private TestTable() {}

    private static URI start() {
        try {
            @SuppressWarnings("resource")
            LocalDynamoDbProcess server = LocalDynamoDbProcess.start();
            return server.endpoint();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static TestTable create() {
        TestTable table = new TestTable();
        table.store().table().createIfMissing(Duration.ofMinutes(1));
        return table;
    }

    static URI endpoint() {
        return SERVER;
    }

    private DynamoDbLockStore store() {
        return DynamoDbLockStore.builder(client).tableName(name).build();
    }

    String name() {
        return name;
    }

    DynamoDbClient client() {
        return client;
    }

    LockManager locks() {
        return locks;
    }

    LockState inspect(String lock) {
        return locks.inspect(lock);
    }

    boolean isFree(String lock) {
        return inspect(lock).status() == LockState.Status.FREE;
    }

    boolean isHeld(String lock) {
        return inspect(lock).status() == LockState.Status.HELD;
    }

    /** Frees a lock although its holder is at work. */
    void free(String lock) {
        locks.forceRelease(lock, Objects.requireNonNull(inspect(lock).leaseId()));
    }

    @Override
    public void close() {
        locks.close();
        client.close();
    }
}
