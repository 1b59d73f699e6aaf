/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import org.jspecify.annotations.Nullable;

/** A wait in virtual time. */
final class SimPause implements Parker {

    private final SimScheduler scheduler;
    private final SimClocks clocks;
    private @Nullable SimThread waiting;
    private boolean woken;

    SimPause(SimScheduler scheduler, SimClocks clocks) {
        this.scheduler = scheduler;
        this.clocks = clocks;
    }

    @Override
    public void wake() {
        woken = true;
        if (waiting != null) {
            scheduler.wake(waiting, 0);
        }
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        throwIfInterrupted();
        if (!woken) {
            waiting = scheduler.current();
            scheduler.block(clocks.momentOf(clocks.monotonic() + Math.max(0, nanos)));
            waiting = null;
        }
        woken = false;
        throwIfInterrupted();
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public long nanos() {
        return clocks.nanos();
    }
}
