/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Distributed locks as leases: a {@link io.dynamolock.LockManager} issues {@link io.dynamolock.Lease}s, keeps them
 * alive and reports when and why one ends; a {@link io.dynamolock.LockStore} stores the rows.
 *
 * <p>The public types are the API, the others the engine, in layers; each layer depends only on those below it:
 *
 * <ul>
 *   <li>manager: {@code DefaultLockManager} implements the API, {@code LeaseRegistry} tracks open leases and
 *       acquisitions, {@code Shutdown} closes them
 *   <li>acquire: {@code Acquisition} is the loop from a request to a lease, with {@code AcquisitionAttempt} (writes),
 *       {@code AcquisitionRequests} (time and retries) and {@code AcquisitionWait} (polls); {@code BlockingAcquisition}
 *       and {@code AsyncAcquisition} run it, {@code Proposer} composes the write, {@code Undo} reverts a write without
 *       a response; {@code Resumption} continues a detached lease
 *   <li>lease: {@code HeldLease} is a lease until it is released, detached or lost, {@code LeaseStatus} its state;
 *       {@code Heartbeat} and {@code LeaseRenewal} keep it, {@code LeaseRelease}, {@code LeaseDetachment} and
 *       {@code LeaseLossHandler} end it
 *   <li>wait: {@code LocalWaitQueues} and {@code WaiterPolling}, the waiters of this process; {@code Observations} of
 *       rows; {@code EngineContext}, what all layers above share
 *   <li>store: {@code StoreClient} sends requests, {@code RetryBudget} and {@code RequestLimit} bound them,
 *       {@code ConditionFailures} interprets rejections
 *   <li>clock: {@code LeaseClock}, the common time, and {@code LeaseExpiry}, ends of leases in it
 * </ul>
 *
 * <p>{@code io.dynamolock.time}, which knows no lock, is below all of them; the stores are in
 * {@link io.dynamolock.dynamodb} and {@link io.dynamolock.memory}, support for tests in {@link io.dynamolock.test}.
 * {@code io.dynamolock.coordination}, which no other package knows, builds on the API.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
