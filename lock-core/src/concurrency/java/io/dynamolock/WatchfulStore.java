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
final class WatchfulStore extends ForwardingStore {

    private volatile boolean renewalsAreOver;
    private volatile boolean releaseIsWanted;
    private volatile int releases;
    private volatile @Nullable String wrong;

    void noMoreRenewals() {
        renewalsAreOver = true;
    }

    void releaseIsWanted() {
        releaseIsWanted = true;
    }

    void wrong(String what) {
        wrong = what;
    }

    void check() {
        if (wrong != null) {
            throw new AssertionError(wrong);
        }
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        if (renewalsAreOver) {
            wrong("a renewal was sent after the release, or the close of the manager, had returned");
        }
        return super.renew(write, timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        if (!releaseIsWanted) {
            wrong("the manager released a lease that its holder had not given back");
        }
        synchronized (this) {
            if (++releases > 1) {
                wrong("the lease was released more than once");
            }
        }
        return super.release(write, timeout);
    }

    @Override
    public Answer raiseFloor(RaiseFloor write, Duration timeout) {
        wrong("an undo was sent");
        return super.raiseFloor(write, timeout);
    }
}
