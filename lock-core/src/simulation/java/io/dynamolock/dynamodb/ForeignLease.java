/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LeaseState;
import io.dynamolock.LockStore;
import io.dynamolock.StoredLease;
import java.lang.reflect.Proxy;
import java.util.List;

/** A lease that always claims to be held, with the values that fencing uses. */
final class ForeignLease {

    private ForeignLease() {}

    static StoredLease of(LockStore store, String name, String id, long token) {
        return (StoredLease) Proxy.newProxyInstance(
                StoredLease.class.getClassLoader(),
                new Class<?>[] {StoredLease.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "ensureHeld" -> null;
                    case "state" -> LeaseState.HELD;
                    case "leases" -> List.of(proxy);
                    case "store" -> store;
                    case "name", "storedName" -> name;
                    case "id" -> id;
                    case "fencingToken" -> token;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
