/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks as leases: a {@link io.dynamolock.LockManager} issues {@link io.dynamolock.Lease}s, keeps them
 * alive and reports when and why one ends; a {@link io.dynamolock.LockStore} stores the rows.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
