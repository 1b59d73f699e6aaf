/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the vitals of each lock manager apart.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1
 */
public final class ManagerVitals {

    private final Map<String, LockVitals> vitals = new ConcurrentHashMap<>();

    /** Creates one that knows no manager yet. */
    public ManagerVitals() {}

    /**
     * Returns the vitals of one lock manager, which has to be told to listen with them.
     *
     * @param manager its bean name
     * @return the same for each call; they know nothing of a manager that does not tell them
     */
    public LockVitals of(String manager) {
        return vitals.computeIfAbsent(manager, name -> new LockVitals());
    }
}
