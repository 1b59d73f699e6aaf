/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

/** The holder of a lock is killed. */
final class Kill {

    private static final String LEASE = "lease=3";

    /** The time in which a waiting process sees the row of the holder. */
    private static final int SEEN_MILLIS = 200;

    private Kill() {}

    static Sample play(Lab lab, Peer peer) throws Exception {
        return Sample.NONE.with("waiting", takenOverByWaiting(lab, peer)).with("fresh", takenOverByFresh(lab, peer));
    }

    private static double takenOverByWaiting(Lab lab, Peer peer) throws Exception {
        try (Jvm rival = lab.start(peer, "rival", "name=seen", LEASE)) {
            Lab.awaitReady(rival);
            try (Jvm victim = lab.start(peer, "victim", "name=seen", LEASE)) {
                Lab.awaitReady(victim);
                Lab.letGo(rival);
                Thread.sleep(SEEN_MILLIS);
                victim.kill();
                long killed = System.currentTimeMillis();
                return Lab.result(rival).value("acquired") - killed;
            }
        }
    }

    private static double takenOverByFresh(Lab lab, Peer peer) throws Exception {
        long killed;
        try (Jvm victim = lab.start(peer, "victim", "name=unseen", LEASE)) {
            Lab.awaitReady(victim);
            victim.kill();
            killed = System.currentTimeMillis();
        }
        try (Jvm rival = lab.start(peer, "rival", "name=unseen", LEASE)) {
            Lab.awaitReady(rival);
            Lab.letGo(rival);
            return Lab.result(rival).value("acquired") - killed;
        }
    }
}
