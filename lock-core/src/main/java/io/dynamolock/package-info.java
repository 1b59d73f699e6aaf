/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks as leases: {@link io.dynamolock.LockManager} hands out {@link io.dynamolock.Lease}s, keeps them alive
 * and tells when and why one ends; a {@link io.dynamolock.LockStore} holds the rows.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
