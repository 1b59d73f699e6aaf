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
 * Chooses the client of a store: the one for locks alone, else the application's, else one that is made. A manager that has a
 * client or a connection of its own takes that.
 *
 * @param forLocks the client for locks alone, if there is one
 * @param applications the application's clients
 */
record DynamoDbClientResolver(ObjectProvider<DynamoDbClient> forLocks, ObjectProvider<DynamoDbClient> applications) {

    /** The bean name of the client for locks alone. */
    static final String CLIENT = "dynamolockClient";

    /** The client of the default manager. */
    DynamoDbClient client() {
        return forLocks.getIfAvailable(() -> theApplications(applications::getObject));
    }

    /**
     * The client of another manager.
     *
     * @param hasClient whether the application has a client for it alone
     * @param own gives that, or makes one
     */
    DynamoDbClient client(ManagerProperties manager, boolean hasClient, Supplier<DynamoDbClient> own) {
        return hasClient || manager.ownConnection()
                ? own.get()
                : forLocks.getIfAvailable(() -> theApplications(() -> applications.getIfAvailable(own)));
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
