/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Selects the client of a store: the dedicated client for locks, else the application's, else a new one. An
 * asynchronous client serves an application that has no synchronous one.
 *
 * @param forLocks the dedicated client for locks, if defined
 * @param asyncForLocks the same, if it is asynchronous
 * @param applications the application's clients
 * @param asyncApplications the application's asynchronous clients
 * @param fallback creates the client of an application that has none
 * @param properties those of all managers
 * @param beans may have clients and stores of named managers
 */
record DynamoDbClientResolver(
        ObjectProvider<DynamoDbClient> forLocks,
        ObjectProvider<DynamoDbAsyncClient> asyncForLocks,
        ObjectProvider<DynamoDbClient> applications,
        ObjectProvider<DynamoDbAsyncClient> asyncApplications,
        ObjectProvider<DynamoDbClient> fallback,
        DynamolockProperties properties,
        BeanFactory beans) {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoDbClientResolver.class);

    /** Bean name of the dedicated client for locks. */
    static final String CLIENT = "dynamolockClient";

    /** Bean name of the client that is created for an application that has none. */
    static final String DEFAULT_CLIENT = "dynamolockDefaultClient";

    /** Returns the client of the default manager. */
    SdkClient client(ManagerProperties manager) {
        return client(manager, fallback::getObject);
    }

    /**
     * Returns the client of a manager without its own connection settings. Warns about a connection that nobody uses, as
     * a bean of the application replaces it.
     *
     * @param own creates a client, if neither the application nor the default manager has one
     */
    SdkClient client(ManagerProperties manager, Supplier<DynamoDbClient> own) {
        Optional<SdkClient> applications = ofApplication();
        if (applications.isPresent() && !isInherited()) {
            warnOfIgnored(manager, key -> true);
        }
        return applications
                .or(() -> Optional.ofNullable(fallback.getIfAvailable()))
                .orElseGet(own);
    }

    /** Warns about the connection settings, but not inherited ones, of a named manager that has its own client bean. */
    static void warnOfIgnored(ManagerProperties manager) {
        warnOfIgnored(manager, key -> !key.startsWith(PropertyKeys.DEFAULT.of("client.")));
    }

    private static void warnOfIgnored(ManagerProperties manager, Predicate<String> ignored) {
        String keys = manager.values().client().connectionKeys().stream()
                .map(manager.keys()::of)
                .filter(ignored)
                .collect(Collectors.joining(", "));
        if (!keys.isEmpty()) {
            LOG.warn(
                    "Ignored: {}. The lock manager {} uses a DynamoDB client bean of the application: configure the connection"
                            + " of that bean",
                    keys,
                    manager.manager());
        }
    }

    /** Whether a named manager has a connection, which inherits what it does not set. */
    private boolean isInherited() {
        return properties.managers().entrySet().stream()
                .anyMatch(manager -> manager.getValue().client().hasConnection()
                        && manager.getValue().over(properties).store() == Store.DYNAMODB
                        && !beans.containsBean(NamedManagerFactory.clientOf(manager.getKey()))
                        && !beans.containsBean(NamedManagerFactory.storeOf(manager.getKey())));
    }

    private Optional<SdkClient> ofApplication() {
        return Stream.<Supplier<@Nullable SdkClient>>of(
                        forLocks::getIfAvailable,
                        asyncForLocks::getIfAvailable,
                        () -> theOnly(applications, "DynamoDbClient"),
                        () -> theOnly(asyncApplications, "DynamoDbAsyncClient"))
                .map(Supplier::get)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static <C> @Nullable C theOnly(ObjectProvider<C> clients, String type) {
        try {
            return clients.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            throw InvalidLockPropertyException.several(
                    type, several, "Name the one for locks " + CLIENT + ", or mark one as primary.");
        }
    }
}
