/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.UUID;

/**
 * What every store must do: each condition of each write, held and not held, and each write arriving twice or late. A store's
 * tests extend this.
 */
public abstract class LockStoreContract
        implements AcquireContract, HolderContract, ForceFreeContract, LateCopyContract, RowContract {

    private final String name = "lock-" + UUID.randomUUID();

    @Override
    public final String name() {
        return name;
    }
}
