/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManagerBuilder;

/**
 * Customizes each lock manager that is created from properties, after all other settings: for example a listener for
 * one manager, another clock, or any other option of the builder. Beans of this type are called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LockManagerCustomizer {

    /**
     * Customizes a manager before it is built.
     *
     * @param manager its bean name: {@code dynamolockManager}, or its name below {@code dynamolock.managers}
     * @param builder the builder with all settings
     */
    void customize(String manager, LockManagerBuilder builder);
}
