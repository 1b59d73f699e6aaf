/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The {@link LockHealth} of each lock manager.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockHealthRegistry {

    private final Map<String, LockHealth> byManager = new ConcurrentHashMap<>();
    private final @Nullable LockHealthRegistry parent;
    private final Predicate<String> isOwn;

    /** Creates an empty registry. */
    public LockHealthRegistry() {
        this(null, manager -> true);
    }

    /**
     * Creates an empty registry of a context that shows the lock managers of its parents, too.
     *
     * @param parent the registry of the parent context; null if there is none
     * @param isOwn whether the context itself has the manager of a bean name; the health of others is that of the parent
     */
    public LockHealthRegistry(@Nullable LockHealthRegistry parent, Predicate<String> isOwn) {
        this.parent = parent;
        this.isOwn = isOwn;
    }

    /**
     * Returns the health of one lock manager. It must be registered as a listener of that manager.
     *
     * @param manager its bean name
     * @return the same instance for each call; without any state if it is not registered as a listener
     */
    public LockHealth of(String manager) {
        return parent == null || isOwn.test(manager)
                ? byManager.computeIfAbsent(manager, name -> new LockHealth())
                : parent.of(manager);
    }
}
