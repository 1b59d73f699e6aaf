/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;

/** An in-memory store whose methods tests may override. */
public abstract class ForwardingStore implements LockStore {

    private final LockStore rows = new InMemoryLockStore();

    /** Creates an empty store. */
    protected ForwardingStore() {}

    @Override
    public Answer acquire(Acquire write, Duration timeout) {
        return rows.acquire(write, timeout);
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        return rows.renew(write, timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        return rows.release(write, timeout);
    }

    @Override
    public Answer raiseFloor(RaiseFloor write, Duration timeout) {
        return rows.raiseFloor(write, timeout);
    }

    @Override
    public Answer revoke(String name, String leaseId, Duration timeout) {
        return rows.revoke(name, leaseId, timeout);
    }

    @Override
    public Answer forceFree(ForceFree write, Duration timeout) {
        return rows.forceFree(write, timeout);
    }

    @Override
    public Answer readToFree(String name, Duration timeout) {
        return rows.readToFree(name, timeout);
    }

    @Override
    public Answer read(String name, boolean consistent, Duration timeout) {
        return rows.read(name, consistent, timeout);
    }

    @Override
    public String describe() {
        return rows.describe();
    }
}
