/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.Lease;
import io.dynamolock.dynamodb.History.Belief;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Continuously samples on its own thread whether leases are held. */
final class BeliefSampler {

    private static final long PAUSE_NANOS = 1_000_000;

    private final Queue<Watched> leases = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "belief-sampler");
    private volatile boolean stopped;

    void start() {
        thread.start();
    }

    void watch(Lease lease) {
        Watched watched = new Watched(lease);
        watched.ask();
        leases.add(watched);
    }

    List<Belief> beliefs() {
        return leases.stream()
                .filter(watched -> watched.saidYes)
                .map(Watched::belief)
                .toList();
    }

    private void run() {
        while (!stopped) {
            leases.forEach(Watched::ask);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    private static final class Watched {

        private final Lease lease;
        private boolean saidYes;
        private boolean saidNo;
        private boolean revived;
        private long from;
        private long until;

        Watched(Lease lease) {
            this.lease = lease;
        }

        synchronized void ask() {
            long before = System.nanoTime();
            boolean held = lease.isHeld();
            if (held && !saidYes) {
                from = System.nanoTime();
            }
            if (held) {
                until = before;
            }
            revived |= held && saidNo;
            saidYes |= held;
            saidNo |= !held;
        }

        synchronized Belief belief() {
            return new Belief(lease.name(), lease.id(), from, until, revived);
        }
    }
}
