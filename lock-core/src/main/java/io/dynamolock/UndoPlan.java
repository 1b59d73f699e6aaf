/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.RaiseFloor;
import io.dynamolock.LockStore.Release;

/**
 * How an acquisition is made harmless whose outcome is unknown: free the lock if it is the acquisition's; refused, use its
 * token up, so that a copy that is still under way is refused whenever it arrives; refused because such a copy came in
 * between, begin again. Pure.
 *
 * @param write the acquisition
 */
record UndoPlan(Acquire write) {

    /** Frees the lock. If that is applied, all is done. */
    Release release(ClockReading now) {
        return new Release(write.name(), write.leaseId(), now.latestStoreTime(), null);
    }

    /** Uses the token up. */
    RaiseFloor raise(ClockReading now) {
        return new RaiseFloor(write.name(), write.leaseId(), write.token(), now.latestStoreTime());
    }

    /** Whether all is done after this answer to the raise; if not, the lock can be freed now. */
    boolean isDone(Answer raised) {
        LockRow row = raised.row();
        return raised.applied() || row == null || !row.isHeldBy(write.leaseId());
    }
}
