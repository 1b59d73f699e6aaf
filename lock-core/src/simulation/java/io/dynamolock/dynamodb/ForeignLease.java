/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockStore;
import io.dynamolock.StoredLease;
import java.lang.reflect.Proxy;

/** A lease that believes it holds, whatever the table says: all that a fence asks it for. */
final class ForeignLease {

    private ForeignLease() {}

    static StoredLease of(LockStore store, String name, String id, long token) {
        return (StoredLease) Proxy.newProxyInstance(
                StoredLease.class.getClassLoader(),
                new Class<?>[] {StoredLease.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "ensureHeld" -> null;
                    case "store" -> store;
                    case "name", "storedName" -> name;
                    case "id" -> id;
                    case "fencingToken" -> token;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
