/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A library under test. */
public interface Library {

    /**
     * Creates the table of its locks.
     *
     * @param client a client
     * @param table the name
     * @throws Exception if it cannot be created
     */
    void createTable(DynamoDbClient client, String table) throws Exception;

    /**
     * Starts the library.
     *
     * @param connection clients and settings
     * @return its locks
     * @throws Exception if it does not start
     */
    LockClient open(Connection connection) throws Exception;
}
