/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.memory;

import io.dynamolock.LockRow;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import org.jspecify.annotations.Nullable;

/** Applies a write to a row, for tests outside this package; null if it is rejected. */
public final class RowAfter {

    private RowAfter() {}

    public static @Nullable LockRow acquire(@Nullable LockRow before, Acquire write) {
        return Change.of(write).after(before);
    }

    public static @Nullable LockRow renew(@Nullable LockRow before, Renew write) {
        return Change.of(write).after(before);
    }

    public static @Nullable LockRow release(@Nullable LockRow before, Release write) {
        return Change.of(write).after(before);
    }

    public static @Nullable LockRow raise(@Nullable LockRow before, RaiseFloor write) {
        return Change.of(write).after(before);
    }

    public static @Nullable LockRow claim(@Nullable LockRow before, Claim write) {
        return Change.of(write).after(before);
    }

    public static @Nullable LockRow revoke(@Nullable LockRow before, String leaseId) {
        return Change.revocationOf(leaseId).after(before);
    }
}
