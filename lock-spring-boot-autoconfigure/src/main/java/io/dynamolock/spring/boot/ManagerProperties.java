/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

/**
 * What one lock manager is made from.
 *
 * @param manager its bean name
 * @param values its properties, with what it inherits
 * @param keys where they come from
 * @param ownConnection whether a Region, an endpoint or credentials are set for this manager alone
 */
record ManagerProperties(String manager, DynamolockProperties values, PropertyKeys keys, boolean ownConnection) {

    /** The bean name of the manager that is made from {@code dynamolock.*}. */
    static final String DEFAULT_MANAGER = "dynamolockManager";

    static ManagerProperties ofDefault(DynamolockProperties properties) {
        return new ManagerProperties(DEFAULT_MANAGER, properties, PropertyKeys.DEFAULT, false);
    }

    /** The row of no lock, which is read to see whether the table answers: under the prefix, where locks need rights, too. */
    static String probedRow(String namePrefix) {
        return namePrefix + "dynamolock";
    }

    /** The bean name of the store of a manager with a name of its own. */
    static String storeBean(String manager) {
        return manager + "LockStore";
    }

    /** The bean name of the client of a manager with a name of its own. */
    static String clientBean(String manager) {
        return manager + "DynamoDbClient";
    }
}
