/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.webmvc;

import io.dynamolock.samples.localdynamodb.LocalDynamoDbProcess;
import java.io.IOException;
import java.io.UncheckedIOException;

/** DynamoDB Local for all tests of this module: it takes seconds to start and ends with this JVM. */
final class SharedDynamoDb {

    private static final LocalDynamoDbProcess PROCESS = start(); // a reference keeps the process running

    /** Property with its address. */
    static final String ENDPOINT = "--dynamolock.client.endpoint=" + PROCESS.endpoint();

    private SharedDynamoDb() {}

    private static LocalDynamoDbProcess start() {
        try {
            return LocalDynamoDbProcess.start();
        } catch (IOException notStarted) {
            throw new UncheckedIOException(notStarted);
        }
    }
}
