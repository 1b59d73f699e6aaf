/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;
import java.util.Map;

/** A handle on a lease that this process acquired, whose properties never change. */
interface GrantedLease extends StoredLease {

    /** Returns the result of the acquisition. */
    LeaseGrant grant();

    /** Lets the release of a lease that no work has used ignore the minimum hold, and leave no trace in the row. */
    void markUnused();

    @Override
    default String name() {
        return grant().name();
    }

    @Override
    default String owner() {
        return grant().owner();
    }

    @Override
    default String id() {
        return grant().leaseId();
    }

    @Override
    default long fencingToken() {
        return grant().token();
    }

    @Override
    default Map<String, String> metadata() {
        return grant().metadata();
    }

    @Override
    default Instant acquiredAt() {
        return grant().acquiredAt();
    }

    @Override
    default String storedName() {
        return grant().storedName();
    }

    @Override
    default OnLost policy() {
        return grant().onLost();
    }
}
