/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

/**
 * Supplies the owner of leases instead of {@code dynamolock.owner}. A bean of this type is called once for each lock
 * manager that is created from properties.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockOwnerSupplier {

    /**
     * Returns a readable identity of this process, for display only.
     *
     * @param manager the bean name of the lock manager
     * @return the owner of its leases
     */
    String ownerFor(String manager);
}
