/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.memory.InMemoryLockStore;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates in-memory stores: one for each table name, so that managers with the same table share their locks. */
final class MemoryStoreFactory {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryStoreFactory.class);

    private final Clock clock;
    private final Map<String, InMemoryLockStore> tables = new ConcurrentHashMap<>();

    MemoryStoreFactory(Clock clock) {
        this.clock = clock;
    }

    InMemoryLockStore create(ManagerProperties manager) {
        LOG.warn(
                "{}=memory: locks are kept in this application context. They exclude neither other processes nor other contexts,"
                        + " unless these share an InMemoryLockStore bean{}",
                manager.keys().of("store"),
                isDefault(manager) ? "" : " named " + NamedManagerFactory.storeOf(manager.manager()));
        if (!manager.values().table().honor().isEmpty()) {
            LOG.warn(
                    "{} has no effect with {}=memory: locks of other libraries are in DynamoDB. Remove one of the two",
                    manager.keys().of("table.honor"),
                    manager.keys().of("store"));
        }
        return tables.computeIfAbsent(manager.values().table().name(), table -> new InMemoryLockStore(clock));
    }

    private static boolean isDefault(ManagerProperties manager) {
        return manager.manager().equals(ManagerProperties.DEFAULT_MANAGER);
    }
}
