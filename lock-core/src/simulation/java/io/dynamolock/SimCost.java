/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Checks that one operation sends the documented number of requests (7) unless a fault occurred. */
final class SimCost {

    /** Additional reads until the time is known: a date far from the known time needs confirmation. */
    private static final int READS = 4;

    private final SimWorld world;
    private final SimProcess process;
    private final String name;
    private final SimThread thread;
    private final long start;
    private final int sent;
    private final int troubled;
    private final int disturbances;
    private final int read;
    private final boolean knewTheTime;
    private final int higherTokens;

    SimCost(SimWorld world, SimProcess process, String name) {
        this.world = world;
        this.process = process;
        this.name = name;
        this.thread = world.scheduler().current();
        this.start = world.scheduler().now();
        this.sent = thread.sent;
        this.troubled = thread.troubled;
        this.disturbances = process.disturbances();
        this.read = thread.read;
        boolean undated = process.context.clock instanceof ServerLeaseClock server
                && server.interval().undated(); // until a date in a response
        this.knewTheTime = process.context.clock.isReady() && !undated;
        long inRow = world.checker().ledger.now(name).number("tokenFloor");
        boolean higher = process.context.observations.highestToken(name) < inRow;
        // The token that a forged floor demands is not the number in it
        this.higherTokens = higher || world.faults().changedRow(name) ? 1 : 0;
    }

    /** One write; more if others use the row or it has an unknown token; and reads only while the time is unknown. */
    void ofTry() {
        SimLedger ledger = world.checker().ledger;
        int changes = ledger.otherChanges(name, start, thread);
        int used =
                ledger.wasUsedByOthers(name, start, thread) ? 1 : 0; // rejected by a lease that is over by the response
        int raised = ledger.floorRaises(name, start); // by an undo: another token is required
        int claims = ledger.wasClaimed(name, start) ? 1 : 0; // of which the row shows that it is over, or withdrawn
        require("An attempt", 1 + higherTokens + used + raised + claims + 2 * changes + readsForTheTime());
        require("Reading in an attempt", thread.read - read, readsForTheTime());
    }

    /** One write; and reads before it only while the time is unknown, for the end until which the lock may be kept. */
    void ofRelease() {
        require("A release", 1 + readsForTheTime());
    }

    private int readsForTheTime() {
        return knewTheTime ? 0 : Math.min(READS, thread.read - read);
    }

    void ofOne(String what) {
        require(what, 1);
    }

    void ofNone(String what) {
        require(what, 0);
    }

    private void require(String what, int most) {
        require(what, thread.sent - sent, most);
    }

    private void require(String what, int count, int most) {
        boolean quiet = thread.troubled == troubled && process.disturbances() == disturbances;
        if (quiet && count > most) {
            world.checker()
                    .verdict
                    .broken(7, "%s of %s by p%d took %d requests".formatted(what, name, process.number, count));
        }
    }
}
