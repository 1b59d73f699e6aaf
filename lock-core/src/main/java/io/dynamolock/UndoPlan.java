/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;

/**
 * The writes that undo an acquisition whose outcome is unknown. First, free the lock if the acquisition holds it. If
 * that is rejected, raise the token floor to the acquisition's token, so that a copy of its write that arrives later is
 * rejected. If that is rejected, too, because such a copy was applied in between, begin again. Pure.
 *
 * @param write the acquisition
 */
record UndoPlan(Acquire write) {

    /** Returns the write that frees the lock. If it is applied, the undo is done. */
    Release release(ClockReading now) {
        return new Release(write.name(), write.leaseId(), now.latestStoreTime(), null);
    }

    /** Returns the write that raises the token floor to the acquisition's token. */
    RaiseFloor raise(ClockReading now) {
        return new RaiseFloor(write.name(), write.leaseId(), write.token(), now.latestStoreTime());
    }

    /**
     * Whether the undo is done after this response to the raise; if not, the acquisition holds the lock, to be freed.
     */
    boolean isDone(Response raised) {
        LockRow row = raised.row();
        return raised.applied() || row == null || !row.isHeldBy(write.leaseId());
    }
}
