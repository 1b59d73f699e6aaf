/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.ForwardingStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;

/** In-memory store whose renewals fail until it is healed. */
public final class FailingRenewals extends ForwardingStore {

    private volatile boolean failing = true;

    public void heal() {
        failing = false;
    }

    @Override
    public Response renew(Renew write, Duration timeout) {
        if (failing) {
            throw new LockStoreException(write.name(), "on purpose", null, true, true);
        }
        return super.renew(write, timeout);
    }
}
