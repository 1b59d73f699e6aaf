/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store that notices what is sent too late, or more often than once. */
final class WatchfulStore extends ForwardingStore {

    private volatile boolean renewalsAreOver;
    private volatile boolean requestsAreOver;
    private volatile int releases;
    private volatile @Nullable String wrong;

    void noMoreRenewals() {
        renewalsAreOver = true;
    }

    void noMoreRequests() {
        requestsAreOver = true;
    }

    void wrong(String what) {
        wrong = what;
    }

    void check() {
        if (wrong != null) {
            throw new AssertionError(wrong);
        }
    }

    private void isSent(String what) {
        if (requestsAreOver) {
            wrong(what + " was sent after the manager had closed");
        }
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        isSent("a renewal");
        if (renewalsAreOver) {
            wrong("a renewal was sent after the release had returned");
        }
        return super.renew(write, timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        isSent("a release");
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

    @Override
    public Answer read(String name, boolean consistent, Duration timeout) {
        isSent("a read");
        return super.read(name, consistent, timeout);
    }
}
