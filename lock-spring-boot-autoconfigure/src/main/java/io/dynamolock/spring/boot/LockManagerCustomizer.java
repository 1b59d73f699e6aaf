/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;

/**
 * Changes each lock manager that is made from properties, after everything else was set: a listener that knows which manager it
 * listens to, another clock, whatever the builder has. Beans of this type are called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockManagerCustomizer {

    /**
     * Changes a manager before it is built.
     *
     * @param manager its bean name: {@code dynamolockManager}, or what stands behind {@code dynamolock.managers.}
     * @param builder with all settings
     */
    void customize(String manager, LockManager.Builder builder);
}
