/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All scenarios, with the numbers of their full and their quick form. */
final class Experiments {

    private static final Metric REQUESTS = new Metric("requests", "requests", 2);
    private static final Metric CPU = new Metric("cpuMicros", "client CPU, µs", 0);
    private static final Metric WRITES = new Metric("writeUnits", "write units", 2);
    private static final Metric READS = new Metric("readUnits", "read units", 2);

    private final Options options;
    private final boolean quick;

    Experiments(Options options) {
        this.options = options;
        this.quick = options.has("quick");
    }

    List<Experiment> all() throws IOException {
        List<Experiment> all = new ArrayList<>(
                List.of(quick ? pairsSideBySide() : pairs(), turns(), handOvers(), keepMany(), first()));
        if (!quick) {
            all.addAll(List.of(
                    pairsOn(8), pairsOn(32), pairsAfar(), waiting(), takeover(), keep(), lostAnswers(), crowd()));
            Optional<String> jdk = options.jdkWithVirtualThreads();
            jdk.ifPresent(home -> all.add(virtualCrowd(home)));
        }
        options.checkNames("only", all.stream().map(Experiment::id).toList());
        return all.stream().filter(options::selects).toList();
    }

    private int rounds(int inFull, int inQuick) {
        return options.rounds().orElse(quick ? inQuick : inFull);
    }

    private Experiment pairs() {
        return new Experiment(
                "pairs",
                "Free names, one thread",
                "Acquire and release, one after the other, on 1,000 names that nobody else wants. Figures are per pair;"
                        + " the dollars are for a million locked jobs.",
                withOverheadToo(),
                rounds(3, 1),
                List.of(
                        new Metric("perSecond", "pairs per second", 0),
                        CPU,
                        new Metric("allocatedBytes", "allocated, kB", 0, 1_000),
                        REQUESTS,
                        WRITES,
                        READS,
                        new Metric("dollars", "$ per million", 2)),
                (lab, peer) -> {
                    Sample sample = Lab.resultOf(lab.start(peer, "pairs", "threads=1", "warm-up=40", "seconds=6"));
                    Prices prices = options.prices();
                    return sample.with(
                            "dollars", prices.ofMillion(sample.value("writeUnits"), sample.value("readUnits")));
                });
    }

    private Experiment pairsSideBySide() {
        return new Experiment(
                "pairs",
                "Free names, one thread, beside the same by hand",
                "Acquire and release, one after the other, on 1,000 names that nobody else wants, while two more processes do the"
                        + " same by hand: with the least that excludes, and with the requests of dynamolock.",
                List.of(Peer.DYNAMOLOCK),
                rounds(3, 2),
                List.of(
                        new Metric("perSecond", "pairs per second", 0),
                        new Metric(SideBySide.ratioTo(Peer.FLOOR), "of the floor's", 2),
                        new Metric(SideBySide.ratioTo(Peer.SAME_REQUESTS), "of the same requests' by hand", 2),
                        REQUESTS),
                new SideBySide(List.of(Peer.FLOOR, Peer.SAME_REQUESTS), 4, 4));
    }

    private Experiment pairsOn(int threads) {
        return new Experiment(
                "pairs-" + threads,
                "Free names, %d threads".formatted(threads),
                "Acquire and release of free names on %d threads of one process. dynamolock sends at most 16 requests at once"
                                .formatted(threads)
                        + " by default.",
                Peer.OVERHEAD,
                rounds(2, 1),
                List.of(new Metric("perSecond", "pairs per second", 0), CPU),
                (lab, peer) -> Lab.resultOf(lab.start(peer, "pairs", "threads=" + threads, "warm-up=60", "seconds=6")));
    }

    private static List<Peer> withOverheadToo() {
        Set<Peer> peers = new LinkedHashSet<>(Peer.OVERHEAD);
        peers.addAll(Peer.ALL);
        return List.copyOf(peers);
    }

    private Experiment pairsAfar() {
        return new Experiment(
                "pairs-afar",
                "Free names, one thread, 5 ms a request",
                "Acquire and release of free names with a response that takes 5 ms, as one of DynamoDB in the same Region may.",
                withOverheadToo(),
                rounds(3, 1),
                List.of(new Metric("perSecond", "pairs per second", 1)),
                (lab, peer) -> Lab.resultOf(lab.startBehind(
                        new Network.Behavior(5, 0), peer, "pairs", "threads=1", "warm-up=20", "seconds=6")));
    }

    private Experiment turns() {
        return new Experiment(
                "turns",
                "Four processes, one lock",
                "Each asks for the lock in a loop, holds it for 50 ms, and asks again at once. At most 20 changes per second are"
                        + " possible. Requests are those of all processes per turn.",
                quick ? List.of(Peer.DYNAMOLOCK) : Peer.ALL,
                rounds(3, 1),
                List.of(
                        new Metric("changes", "changes of holder per second", 2),
                        new Metric("turnsPerSecond", "turns per second", 2),
                        new Metric("fewest", "fewest turns of a process", 0),
                        new Metric("most", "most turns", 0),
                        new Metric("requestsPerTurn", "requests per turn", 2)),
                new Turns(4, quick ? 10 : 20));
    }

    private Experiment handOvers() {
        return new Experiment(
                "hand-overs",
                "Sixteen threads of one process, one lock",
                "Each acquires the lock and releases it at once, in a loop. A hand-over is an acquisition by another thread than the last;"
                        + " figures are per acquisition.",
                quick ? List.of(Peer.DYNAMOLOCK) : Peer.ALL,
                rounds(3, 1),
                List.of(
                        new Metric("handOvers", "hand-overs per second", 1),
                        new Metric("perSecond", "acquisitions per second", 1),
                        CPU,
                        REQUESTS),
                (lab, peer) -> Lab.resultOf(lab.start(
                        peer,
                        "hand-overs",
                        "threads=16",
                        "warm-up=" + (quick ? 2 : 20),
                        "seconds=" + (quick ? 4 : 8))));
    }

    private Experiment waiting() {
        return new Experiment(
                "waiting",
                "One waiter, one holder for half a minute",
                "Twenty times side by side: one process holds a lock for about 30 s, the other waits for it; then both again, with the"
                        + " same lock for the same time. Units are per minute of one waiter; the latency is the time from the start of"
                        + " the release to the return of the acquire.",
                Peer.WAITING,
                rounds(2, 1),
                List.of(
                        new Metric("latency", "release to acquired, ms", 0),
                        new Metric("latencyAgain", "the second time", 0),
                        new Metric("writeUnits", "write units per minute", 1),
                        new Metric("readUnits", "read units per minute", 1),
                        new Metric("readUnitsAgain", "the second time", 1)),
                new Pair(20, 30));
    }

    private Experiment takeover() {
        return new Experiment(
                "takeover",
                "Takeover from a killed process",
                "The holder is killed right after it has acquired the lock with a lease of 3 s. A rival takes over that has waited for"
                        + " the lock, or that starts after the kill. Seconds are since the kill.",
                Peer.ALL,
                rounds(5, 1),
                List.of(
                        new Metric("waiting", "by a waiting process, s", 2, 1_000),
                        new Metric("fresh", "by a process started later, s", 2, 1_000)),
                Kill::play);
    }

    private Experiment keep() {
        return keep(
                "keep-1000",
                "1,000 held locks, short leases, a slow network",
                "One process holds 1,000 locks with leases of 5 s for 20 s. A response takes 25 ms.",
                rounds(3, 1),
                1_000,
                5,
                20);
    }

    private Experiment keepMany() {
        int count = quick ? 1_000 : 10_000;
        return keep(
                "keep-many",
                "%,d held locks of one manager".formatted(count),
                "One process holds %,d locks with leases of 30 s for %d s. A response takes 25 ms."
                        .formatted(count, quick ? 12 : 60),
                rounds(3, 1),
                count,
                30,
                quick ? 12 : 60);
    }

    private Experiment keep(
            String id, String title, String description, int rounds, int count, int lease, int seconds) {
        return new Experiment(
                id,
                title,
                description + " Libraries without a heartbeat are left out.",
                quick ? List.of(Peer.DYNAMOLOCK) : Peer.RENEWING,
                rounds,
                List.of(
                        new Metric("kept", "kept", 0),
                        new Metric("cores", "client CPU, cores", 3),
                        new Metric("perSecondRequests", "requests per second", 0),
                        new Metric("heapBytes", "heap per lock, bytes", 0)),
                (lab, peer) -> {
                    Sample sample = Lab.resultOf(lab.startBehind(
                            new Network.Behavior(25, 0),
                            peer,
                            "keep",
                            "count=" + count,
                            "lease=" + lease,
                            "seconds=" + seconds));
                    return sample.with("perSecondRequests", sample.value("requests"))
                            .with("lost", count - sample.value("kept"));
                });
    }

    private Experiment first() {
        return new Experiment(
                "first",
                "From the start of a JVM to the first lock",
                "The table exists. The AWS SDK takes most of the time.",
                quick ? List.of(Peer.FLOOR, Peer.DYNAMOLOCK) : Peer.ALL,
                rounds(7, 1),
                List.of(new Metric("millis", "start to first lock, ms", 0), REQUESTS),
                (lab, peer) -> Lab.resultOf(lab.start(peer, "first")));
    }

    private Experiment lostAnswers() {
        return new Experiment(
                "lost-answers",
                "One response of five gets lost",
                "300 free names, one after the other; the request was applied, and its connection breaks. Nobody else wants the locks,"
                        + " so \"busy\" is wrong.",
                Peer.ALL,
                rounds(3, 1),
                List.of(
                        new Metric("wrongPercent", "reported busy, %", 1),
                        new Metric("failedPercent", "exception, %", 1),
                        new Metric("slowestMillis", "slowest acquire, ms", 0)),
                (lab, peer) -> Lab.resultOf(
                        lab.startBehind(new Network.Behavior(0, 20), peer, "lost-answers", "count=300", "lease=10")));
    }

    private Experiment crowd() {
        return crowd("crowd", "1,000 waiting threads", 1_000, "no", System.getProperty("java.home"));
    }

    private Experiment virtualCrowd(String home) {
        return crowd("crowd-virtual", "10,000 waiting virtual threads", 10_000, "yes", home);
    }

    private Experiment crowd(String id, String title, int threads, String virtual, String javaHome) {
        return new Experiment(
                id,
                title,
                "They want 100 names, once each, and give up after a minute. CPU and requests are per thread.",
                Peer.WAITING,
                rounds(3, 1),
                List.of(
                        new Metric("seconds", "until all are served, s", 2),
                        new Metric("unservedPercent", "unserved, %", 1),
                        CPU,
                        REQUESTS),
                (lab, peer) -> Lab.resultOf(lab.startOn(
                        javaHome, peer, "crowd", "threads=" + threads, "virtual=" + virtual, "seconds=60")));
    }
}
