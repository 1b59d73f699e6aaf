/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What a {@link LockManager} reveals about itself for health checks, metrics and validation. Sends no requests.
 *
 * <p>Thread-safe, and usable after the manager was closed.
 *
 * @since 0.1
 */
public interface LockDiagnostics {

    /**
     * Returns the settings of the manager, for example to {@linkplain LockSettings#validate validate} a request long
     * before it is used.
     *
     * @return the settings with which the manager was built
     */
    LockSettings settings();

    /**
     * Returns the store of the manager's locks, for example to probe whether it responds.
     *
     * @return the store with which the manager was built
     */
    LockStore store();

    /**
     * Returns how late the heartbeat is: how long the most overdue renewal of the leases held here has been due. A
     * renewal in flight counts, so a small value is usual; a value of whole heartbeat intervals is not.
     *
     * @return zero if all leases were renewed in time
     */
    Duration heartbeatLag();

    /**
     * Returns whether the manager {@linkplain LockManager#startDraining() drains}.
     *
     * @return true between the start and the stop of draining, also after the manager was closed
     */
    boolean isDraining();

    /**
     * Returns whether the current thread holds a lock by a reentrant request. Another reentrant request of this thread
     * gets its lease then, without a request to the store.
     *
     * @param name the lock name
     * @return false also if the lease was lost
     */
    boolean isHeldByThisThread(String name);

    /**
     * Returns the manager's monotonic clock, which its waits and leases go by: {@link System#nanoTime()}, or that of a
     * test.
     *
     * @return nanoseconds since an arbitrary moment; only differences have a meaning
     */
    long nanoTime();

    /**
     * Returns the monotonic clock of a manager.
     *
     * @param manager any manager
     * @return {@link #nanoTime()} of the manager's diagnostics; {@link System#nanoTime()} if it has none
     */
    static LongSupplier clockOf(LockManager manager) {
        return manager.diagnostics()
                .map(diagnostics -> (LongSupplier) diagnostics::nanoTime)
                .orElse(ThreadParker::nanoTime);
    }
}
