/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

/**
 * Says who this process is, in the place of {@code dynamolock.owner}. A bean of this type is asked once for each lock manager
 * that is made from properties.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockOwnerSupplier {

    /**
     * Returns a readable identity of this process, for display only.
     *
     * @param manager the bean name of the lock manager
     * @return the owner that its leases show
     */
    String ownerFor(String manager);
}
