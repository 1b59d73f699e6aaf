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

/** Makes stores in memory: one for each table name, so that managers that share a table share it here, too. */
final class MemoryStoreFactory {

    private static final Logger LOG = LoggerFactory.getLogger(MemoryStoreFactory.class);

    private final Clock clock;
    private final Map<String, InMemoryLockStore> tables = new ConcurrentHashMap<>();

    MemoryStoreFactory(Clock clock) {
        this.clock = clock;
    }

    InMemoryLockStore create(ManagerProperties manager) {
        LOG.warn(
                "{}=memory: locks are kept in this JVM, other processes are not locked out",
                manager.keys().of("store"));
        return tables.computeIfAbsent(manager.values().table().name(), table -> new InMemoryLockStore(clock));
    }
}
