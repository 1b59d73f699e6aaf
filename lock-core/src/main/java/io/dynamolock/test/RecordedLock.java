/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;

/**
 * A lock that was acquired, as it was when {@link LockRecorder#acquired()} was called.
 *
 * @param name the lock name
 * @param fencingToken the token of its lease
 * @param state the state of the lease, for example {@link LeaseState#HELD}, {@link LeaseState#RELEASED} or
 *     {@link LeaseState#LOST}
 * @since 0.1
 */
public record RecordedLock(String name, long fencingToken, LeaseState state) {

    static RecordedLock of(Lease lease) {
        return new RecordedLock(lease.name(), lease.fencingToken(), lease.state());
    }
}
