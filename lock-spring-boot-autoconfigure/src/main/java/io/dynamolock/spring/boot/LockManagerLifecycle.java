/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the lock managers when the application stops: after web servers, schedulers and message listeners, whose work may
 * need its locks to the end, and before any bean is destroyed, so that the AWS client is still there. They close side by side:
 * several take no longer than the slowest.
 *
 * <p>Closing waits for open leases, while the thread that stops the application waits, so no phase timeout cuts it short.
 * A closed manager stays closed: a context that is paused keeps its managers, one that is stopped and started again does not.
 */
final class LockManagerLifecycle implements SmartLifecycle {

    /** Far below everything that has a phase of its own: starts before it, stops after it. */
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
            LockManager.closeAll(managers);
        } catch (RuntimeException failure) {
            LOG.warn("A lock manager could not be closed in order; its leases run out by themselves", failure);
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
