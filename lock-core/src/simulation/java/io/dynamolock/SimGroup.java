/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Runs histories one after the other, on one thread at a time. */
final class SimGroup implements AutoCloseable {

    private final SimScheduler scheduler;
    private final SimStores stores = new SimStores();

    SimGroup(String name) {
        this.scheduler = new SimScheduler(name);
    }

    SimResult play(long seed, SimOptions options) {
        return SimHistory.play(scheduler, stores, seed, options);
    }

    @Override
    public void close() {
        scheduler.close();
    }
}
