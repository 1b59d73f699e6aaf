/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registry of the vitals of each lock manager.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class ManagerVitals {

    private final Map<String, LockVitals> vitals = new ConcurrentHashMap<>();

    /** Creates an empty registry. */
    public ManagerVitals() {}

    /**
     * Returns the vitals of one lock manager. They must be registered as a listener of that manager.
     *
     * @param manager its bean name
     * @return the same instance for each call; without any state if it is not registered as a listener
     */
    public LockVitals of(String manager) {
        return vitals.computeIfAbsent(manager, name -> new LockVitals());
    }
}
