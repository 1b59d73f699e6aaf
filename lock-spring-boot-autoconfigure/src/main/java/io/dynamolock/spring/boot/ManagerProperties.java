/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

/**
 * Properties of one lock manager.
 *
 * @param manager its bean name
 * @param values its properties, including inherited ones
 * @param keys the full keys of these properties
 * @param ownConnection whether a Region, an endpoint or credentials are set for this manager alone
 */
record ManagerProperties(String manager, DynamolockProperties values, PropertyKeys keys, boolean ownConnection) {

    /** Bean name of the manager that is created from {@code dynamolock.*}. */
    static final String DEFAULT_MANAGER = "dynamolockManager";

    static ManagerProperties ofDefault(DynamolockProperties properties) {
        return new ManagerProperties(DEFAULT_MANAGER, properties, PropertyKeys.DEFAULT, false);
    }

    /**
     * Returns the key of the row that is read to probe the table. It has the name prefix, because permissions may
     * require it.
     */
    static String probedRow(String namePrefix) {
        return namePrefix + "dynamolock";
    }
}
