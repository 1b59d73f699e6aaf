/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link LockHealth} of each lock manager.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockHealthRegistry {

    private final Map<String, LockHealth> byManager = new ConcurrentHashMap<>();

    /** Creates an empty registry. */
    public LockHealthRegistry() {}

    /**
     * Returns the health of one lock manager. It must be registered as a listener of that manager.
     *
     * @param manager its bean name
     * @return the same instance for each call; without any state if it is not registered as a listener
     */
    public LockHealth of(String manager) {
        return byManager.computeIfAbsent(manager, name -> new LockHealth());
    }
}
