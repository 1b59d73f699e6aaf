/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.function.Supplier;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Selects the client of a store: the dedicated client for locks, else the application's, else a new one.
 *
 * @param forLocks the dedicated client for locks, if defined
 * @param applications the application's clients
 * @param fallback creates the client of an application that has none
 */
record DynamoDbClientResolver(
        ObjectProvider<DynamoDbClient> forLocks,
        ObjectProvider<DynamoDbClient> applications,
        ObjectProvider<DynamoDbClient> fallback) {

    /** Bean name of the dedicated client for locks. */
    static final String CLIENT = "dynamolockClient";

    /** Bean name of the client that is created for an application that has none. */
    static final String DEFAULT_CLIENT = "dynamolockDefaultClient";

    /** Returns the client of the default manager. */
    DynamoDbClient client() {
        return forLocks.getIfAvailable(() -> theApplications(() -> applications.getIfAvailable(fallback::getObject)));
    }

    /**
     * Returns the client of a named manager without its own connection settings.
     *
     * @param own creates a client, if the default manager needs none
     */
    DynamoDbClient client(Supplier<DynamoDbClient> own) {
        return forLocks.getIfAvailable(
                () -> theApplications(() -> applications.getIfAvailable(() -> fallback.getIfAvailable(own))));
    }

    private static DynamoDbClient theApplications(Supplier<DynamoDbClient> client) {
        try {
            return client.get();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new InvalidLockPropertyException(
                    CLIENT,
                    "There is more than one DynamoDbClient bean, and none of them is primary ("
                            + several.getBeanNamesFound() + ")",
                    "Name the one for locks " + CLIENT + ", or mark one as primary.",
                    several);
        }
    }
}
