/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;

/**
 * Changes how a {@link LockManager} is built, after the properties and listeners have been applied. For beans of the
 * application; called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockManagerCustomizer {

    /**
     * Customizes a manager.
     *
     * @param builder its builder
     */
    void customize(LockManager.Builder builder);
}
