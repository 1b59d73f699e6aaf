/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.samples.benchmarks.report.Goals.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalsTests {

    private static final Map<String, String> NONE = Map.of();

    private final List<Results> all = new ArrayList<>();

    private Results results(String id) {
        Results results = new Results(
                new Experiment(id, "title", "what happens", List.of(), 1, List.of(), (lab, peer) -> Sample.NONE));
        all.add(results);
        return results;
    }

    private static Goal met(String text, String measured) {
        return new Goal(text, measured, true);
    }

    private static Goal missed(String text, String measured) {
        return new Goal(text, measured, false);
    }

    @Test
    void areNotShownWithoutTheirFigures() {
        results("pairs").add(Peer.FLOOR, Sample.parse("perSecond=1"));
        results("first").add(Peer.DYNAMOLOCK, Sample.parse("millis=1"));

        assertThat(Goals.of(all, Map.of("Start", "application startup failed"))).isEmpty();
    }

    @Test
    void compareWithTheFloorAndTheSameRequests() {
        Results pairs = results("pairs");
        pairs.add(Peer.FLOOR, Sample.parse("perSecond=1000 cpuMicros=100"));
        pairs.add(Peer.DYNAMOLOCK, Sample.parse("perSecond=920 cpuMicros=116 allocatedBytes=150000"));
        pairs.add(Peer.SAME_REQUESTS, Sample.parse("perSecond=900 cpuMicros=100"));
        pairs.add(Peer.DYNAMOLOCK_CLIENT_FOR_LOCKS, Sample.parse("perSecond=864 cpuMicros=105"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("pairs: throughput, of the floor's: at least 0.92", "0.92"),
                        missed("pairs: client CPU, of the floor's: at most 1.15", "1.16"),
                        met("pairs: allocated, kB: at most 150", "150"),
                        missed("pairs: throughput, of the same requests' by hand: at least 0.97", "0.96"),
                        met("pairs: client CPU, of the same requests' by hand: at most 1.05", "1.05"));
    }

    @Test
    void judgeAllocationOfOneThreadOnly() {
        Results pairs = results("pairs-8");
        pairs.add(Peer.FLOOR, Sample.parse("perSecond=1000 cpuMicros=100"));
        pairs.add(Peer.DYNAMOLOCK, Sample.parse("perSecond=1000 cpuMicros=100 allocatedBytes=0"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("pairs-8: throughput, of the floor's: at least 0.92", "1.00"),
                        met("pairs-8: client CPU, of the floor's: at most 1.15", "1.00"));
    }

    @Test
    void compareHandOversWithTheBestOtherLibrary() {
        Results handOvers = results("hand-overs");
        handOvers.add(Peer.FLOOR, Sample.parse("handOvers=900"));
        handOvers.add(Peer.DYNAMOLOCK, Sample.parse("handOvers=300 perSecond=300 requests=2.00"));
        handOvers.add(Peer.AWSLABS, Sample.parse("handOvers=200 perSecond=200"));
        handOvers.add(Peer.SHEDLOCK, Sample.parse("handOvers=400 perSecond=700"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        missed("hand-overs per second, of the best other library's: at least 1.00", "0.75"),
                        met("hand-overs: requests each: at most 2.05", "2.00"));
    }

    @Test
    void judgeTurnsByTheirRateAndTheirFairness() {
        results("turns").add(Peer.DYNAMOLOCK, Sample.parse("changes=10 fewest=24 most=50"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("turns: changes of holder per second: at least 5.0", "10.0"),
                        missed("turns: fewest of a process, of the most: at least 0.50", "0.48"));
    }

    @Test
    void judgeWaitingByItsCostAndItsLongestDelay() {
        results("waiting")
                .add(
                        Peer.DYNAMOLOCK,
                        Sample.parse("writeUnits=4 readUnits=41 latency=100,240,1200 latencyAgain=80,260,300"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("waiting: write units for each of two waits a minute: at most 2.0", "2.0"),
                        missed("waiting: read units per minute: at most 40.0", "41.0"),
                        met("waiting, the first time: release to acquired, ms: at most 250", "240"),
                        missed("waiting, the first time: longest, ms: at most 1,000", "1,200"),
                        missed("waiting, the second time: release to acquired, ms: at most 250", "260"),
                        met("waiting, the second time: longest, ms: at most 1,000", "300"));
    }

    @Test
    void judgeTakeoverByLeaseAndSkew() {
        results("takeover").add(Peer.DYNAMOLOCK, Sample.parse("waiting=4750 fresh=4751"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("takeover by a waiting process, ms: at most 4,750", "4,750"),
                        missed("takeover by one started later, ms: at most 4,750", "4,751"));
    }

    @Test
    void judgeManyLocksByLossesCpuAndHeap() {
        results("keep-many").add(Peer.DYNAMOLOCK, Sample.parse("lost=0 cores=1.01 heapBytes=2048"));

        assertThat(Goals.of(all, NONE))
                .containsExactly(
                        met("keep-many: lost locks: at most 0", "0"),
                        missed("keep-many: client CPU, cores: at most 1.00", "1.01"),
                        met("keep-many: heap per lock, bytes: at most 2,048", "2,048"));
    }

    @Test
    void readWhatOtherMeasurementsPrint() {
        String calls = """
                Benchmark              Mode  Cnt     Score    Error  Units
                LockedCall.annotated   avgt    5  4123.456 ± 99.000  ns/op
                LockedCall.byHand      avgt    5  2345.678 ± 99.000  ns/op
                LockedCall.unlocked    avgt    5    23.456 ±  9.000  ns/op
                """;
        String start = "application startup, median of 11: 900 ms without the starter, 1051 ms with it:"
                + " 151 ms more, 1 requests more";

        assertThat(Goals.of(all, Map.of("Call", calls, "Start", start)))
                .containsExactly(
                        met("a locked call without its requests, µs: at most 5.0", "4.1"),
                        missed("start of an application, ms more: at most 150", "151"),
                        met("start of an application, requests more: at most 1", "1"));
    }
}
