/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks as leases: a {@link io.dynamolock.LockManager} issues {@link io.dynamolock.Lease}s, keeps them
 * alive and reports when and why one ends; a {@link io.dynamolock.LockStore} stores the rows.
 *
 * <p>The public types are the API, the others the engine, in layers of which each knows only those after it:
 *
 * <ul>
 *   <li>manager: implements the API, knows what is open, and closes it
 *   <li>acquire: from a request to a lease, or to the undo of one
 *   <li>lease: what becomes of a lease until it is released, detached or lost
 *   <li>wait: queues and polls of this process, and what it has observed of rows
 *   <li>store: requests, retries, and the meaning of responses
 *   <li>clock: the common time, and ends of leases in it
 * </ul>
 *
 * <p>{@code io.dynamolock.time}, which knows no lock, is below all of them; the stores are in {@link
 * io.dynamolock.dynamodb} and {@link io.dynamolock.memory}, support for tests in {@link io.dynamolock.test}.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
