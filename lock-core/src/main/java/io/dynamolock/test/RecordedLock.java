/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LeaseState;

/**
 * A lock that was taken, as it was when {@link LockRecorder} was asked.
 *
 * @param name the lock
 * @param fencingToken the token of its lease
 * @param state what became of the lease: {@link LeaseState#HELD}, {@link LeaseState#RELEASED} or {@link LeaseState#LOST}, for
 *     example
 * @since 0.1
 */
public record RecordedLock(String name, long fencingToken, LeaseState state) {

    static RecordedLock of(Lease lease) {
        return new RecordedLock(lease.name(), lease.fencingToken(), lease.state());
    }
}
