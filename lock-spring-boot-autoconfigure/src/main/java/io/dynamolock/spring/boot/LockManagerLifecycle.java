/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagers;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the lock managers when the application stops: after web servers, schedulers and message listeners, whose work
 * may need its locks until it ends, and before any bean is destroyed, so that the AWS client is still usable. Managers
 * are closed concurrently: together they take no longer than the slowest.
 *
 * <p>Closing waits for open leases on the thread that stops the application, so no phase timeout interrupts it. A
 * closed manager cannot be restarted: pausing a context keeps its managers open, stopping and restarting it does not.
 */
final class LockManagerLifecycle implements SmartLifecycle {

    /** Far below all usual phases: starts before and stops after their beans. */
    static final int PHASE = Integer.MIN_VALUE / 2;

    private static final Logger LOG = LoggerFactory.getLogger(LockManagerLifecycle.class);

    private final List<LockManager> managers;
    private volatile boolean running;

    LockManagerLifecycle(Collection<LockManager> managers) {
        this.managers = List.copyOf(managers);
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            LockManagers.closeAll(managers);
        } catch (RuntimeException failure) {
            LOG.warn("A lock manager could not be closed cleanly; its leases expire on their own", failure);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
