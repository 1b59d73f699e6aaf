/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.dynamodb.History.HeldPeriod;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Continuously samples on its own thread whether leases are held. */
final class HeldSampler {

    private static final long PAUSE_NANOS = 1_000_000;

    private final Queue<Sample> leases = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "held-sampler");
    private volatile boolean stopped;

    void start() {
        thread.start();
    }

    void add(Lease lease) {
        Sample sample = new Sample(lease);
        sample.take();
        leases.add(sample);
    }

    List<HeldPeriod> heldPeriods() {
        return leases.stream()
                .filter(sample -> sample.wasHeld)
                .map(Sample::heldPeriod)
                .toList();
    }

    private void run() {
        while (!stopped) {
            leases.forEach(Sample::take);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    private static final class Sample {

        private final Lease lease;
        private boolean wasHeld;
        private boolean wasNotHeld;
        private boolean revived;
        private long from;
        private long until;

        Sample(Lease lease) {
            this.lease = lease;
        }

        synchronized void take() {
            long before = System.nanoTime();
            boolean held = lease.isHeld();
            if (held && !wasHeld) {
                from = System.nanoTime();
            }
            if (held) {
                until = before;
            }
            revived |= held && wasNotHeld;
            wasHeld |= held;
            wasNotHeld |= !held;
        }

        synchronized HeldPeriod heldPeriod() {
            return new HeldPeriod(lease.name(), lease.id(), from, until, revived);
        }
    }
}
