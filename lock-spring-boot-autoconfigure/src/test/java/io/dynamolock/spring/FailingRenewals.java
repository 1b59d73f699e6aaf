/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;

/** Keeps locks in memory, and renews none until it is healed. */
public final class FailingRenewals implements LockStore {

    private volatile boolean failing = true;
    private final LockStore real = new InMemoryLockStore();

    public void heal() {
        failing = false;
    }

    @Override
    public Answer acquire(Acquire write, Duration timeout) {
        return real.acquire(write, timeout);
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        if (failing) {
            throw new LockStoreException(write.name(), "on purpose", null, true, true);
        }
        return real.renew(write, timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        return real.release(write, timeout);
    }

    @Override
    public Answer raiseFloor(RaiseFloor write, Duration timeout) {
        return real.raiseFloor(write, timeout);
    }

    @Override
    public Answer revoke(String name, String leaseId, Duration timeout) {
        return real.revoke(name, leaseId, timeout);
    }

    @Override
    public Answer read(String name, boolean consistent, Duration timeout) {
        return real.read(name, consistent, timeout);
    }

    @Override
    public String describe() {
        return real.describe();
    }
}
