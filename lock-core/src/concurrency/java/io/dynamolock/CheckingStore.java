/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store that detects requests sent too late or more than once. */
final class CheckingStore extends ForwardingStore {

    private volatile boolean renewalsForbidden;
    private volatile boolean releaseAllowed;
    private volatile int releases;
    private volatile int renewals;
    private volatile boolean nextRenewalFails;
    private volatile @Nullable String violation;

    void forbidRenewals() {
        renewalsForbidden = true;
    }

    void releaseAllowed() {
        releaseAllowed = true;
    }

    void failNextRenewal() {
        nextRenewalFails = true;
    }

    int renewals() {
        return renewals;
    }

    void violation(String what) {
        violation = what;
    }

    void check() {
        if (violation != null) {
            throw new AssertionError(violation);
        }
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        if (renewalsForbidden) {
            violation("a renewal was sent after the release, or the close of the manager, had returned");
        }
        synchronized (this) {
            renewals++;
            if (nextRenewalFails) {
                nextRenewalFails = false;
                throw new LockStoreException(write.name(), "rejected", null, false, true);
            }
        }
        return super.renew(write, timeout);
    }

    @Override
    public Response release(Release write, Duration timeout) {
        if (!releaseAllowed) {
            violation("the manager released a lease that its holder had not released");
        }
        synchronized (this) {
            if (++releases > 1) {
                violation("the lease was released more than once");
            }
        }
        return super.release(write, timeout);
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        violation("an undo was sent");
        return super.raiseFloor(write, timeout);
    }
}
