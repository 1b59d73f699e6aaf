/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.UUID;

/**
 * Contract of every store: each condition of each write, met and not met, and each write arriving twice or late. The tests
 * of a store extend this class.
 */
public abstract class LockStoreContract
        implements AcquireContract, HolderContract, ClaimContract, ForceFreeContract, LateCopyContract, RowContract {

    private final String name = "lock-" + UUID.randomUUID();

    @Override
    public final String name() {
        return name;
    }
}
