/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import io.dynamolock.LockWrite.WithdrawClaim;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;

/** An in-memory store whose methods tests may override. */
public abstract class ForwardingStore implements LockStore {

    private final LockStore rows;

    /** Creates an empty store. */
    protected ForwardingStore() {
        this(new InMemoryLockStore());
    }

    /** Creates a store that shares its rows with another one. */
    protected ForwardingStore(LockStore rows) {
        this.rows = rows;
    }

    @Override
    public Response acquire(Acquire write, Duration timeout) {
        return rows.acquire(write, timeout);
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        return rows.renew(write, timeout);
    }

    @Override
    public Response release(Release write, Duration timeout) {
        return rows.release(write, timeout);
    }

    @Override
    public Response raiseFloor(RaiseFloor write, Duration timeout) {
        return rows.raiseFloor(write, timeout);
    }

    @Override
    public Response claim(Claim write, Duration timeout) {
        return rows.claim(write, timeout);
    }

    @Override
    public Response withdrawClaim(WithdrawClaim write, Duration timeout) {
        return rows.withdrawClaim(write, timeout);
    }

    @Override
    public Response revoke(String name, String leaseId, Duration timeout) {
        return rows.revoke(name, leaseId, timeout);
    }

    @Override
    public Response forceFree(ForceFree write, Duration timeout) {
        return rows.forceFree(write, timeout);
    }

    @Override
    public Response readToFree(String name, Duration timeout) {
        return rows.readToFree(name, timeout);
    }

    @Override
    public Response read(String name, boolean consistent, Duration timeout) {
        return rows.read(name, consistent, timeout);
    }

    @Override
    public String describe() {
        return rows.describe();
    }
}
