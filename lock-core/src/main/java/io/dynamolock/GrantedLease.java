/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.Map;

/** What never changes about a lease. */
abstract class GrantedLease implements StoredLease {

    private final LockStore store;
    private final Grant grant;

    GrantedLease(LockStore store, Grant grant) {
        this.store = store;
        this.grant = grant;
    }

    @Override
    public final String name() {
        return grant.name();
    }

    @Override
    public final String owner() {
        return grant.owner();
    }

    @Override
    public final String id() {
        return grant.leaseId();
    }

    @Override
    public final long fencingToken() {
        return grant.token();
    }

    @Override
    public final Map<String, String> metadata() {
        return grant.metadata();
    }

    @Override
    public final Instant acquiredAt() {
        return grant.acquiredAt();
    }

    @Override
    public final LockStore store() {
        return store;
    }

    @Override
    public final String storedName() {
        return grant.stored();
    }

    @Override
    public final OnLost policy() {
        return grant.onLost();
    }
}
