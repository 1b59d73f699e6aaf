/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Creates the managers in {@code dynamolock.managers} with their stores, and closes the clients that it creates for
 * them. A store or client that the application defines with the name of a manager is used instead.
 */
final class NamedManagerFactory implements DisposableBean {

    private final NamedManagers named;
    private final LockManagerFactory managers;
    private final MemoryStoreFactory memory;
    private final DynamoDbStoreFactory tables;
    private final DynamoDbClientResolver shared;
    private final DynamoDbClientFactory clients;
    private final BeanFactory beans;
    private final List<DynamoDbClient> created = new CopyOnWriteArrayList<>();

    NamedManagerFactory(
            NamedManagers named,
            LockManagerFactory managers,
            MemoryStoreFactory memory,
            DynamoDbStoreFactory tables,
            DynamoDbClientResolver shared,
            DynamoDbClientFactory clients,
            BeanFactory beans) {
        this.named = named;
        this.managers = managers;
        this.memory = memory;
        this.tables = tables;
        this.shared = shared;
        this.clients = clients;
        this.beans = beans;
    }

    /** Returns the bean name of the application's client for a manager. */
    static String clientOf(String manager) {
        return manager + "DynamoDbClient";
    }

    /** Returns the bean name of the application's store for a manager. */
    static String storeOf(String manager) {
        return manager + "LockStore";
    }

    LockManager create(String name) {
        ManagerProperties manager = named.of(name);
        return managers.create(manager, store(manager));
    }

    private LockStore store(ManagerProperties manager) {
        String applications = storeOf(manager.manager());
        if (beans.containsBean(applications)) {
            return beans.getBean(applications, LockStore.class);
        }
        return manager.values().store() == Store.MEMORY
                ? memory.create(manager)
                : tables.create(manager, client(manager));
    }

    private SdkClient client(ManagerProperties manager) {
        String applications = clientOf(manager.manager());
        if (beans.containsBean(applications)) {
            DynamoDbClientResolver.warnOfIgnored(manager);
            return beans.isTypeMatch(applications, DynamoDbAsyncClient.class)
                    ? beans.getBean(applications, DynamoDbAsyncClient.class)
                    : beans.getBean(applications, DynamoDbClient.class);
        }
        return manager.ownConnection() ? newClient(manager) : shared.client(manager, () -> newClient(manager));
    }

    private DynamoDbClient newClient(ManagerProperties manager) {
        DynamoDbClient client =
                clients.create(manager, LockSettingsMapper.lockSettings(manager).connections());
        created.add(client);
        return client;
    }

    @Override
    public void destroy() {
        created.forEach(DynamoDbClient::close);
    }
}
