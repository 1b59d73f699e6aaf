/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.samples.benchmarks.report.Gates.Gate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatesTests {

    private static Results results(String id) {
        return new Results(
                new Experiment(id, "title", "what happens", List.of(), 1, List.of(), (lab, peer) -> Sample.NONE));
    }

    private static boolean passes(Results results) {
        return Gates.of(results).stream().allMatch(Gate::passed);
    }

    @ParameterizedTest
    @CsvSource({"50, 62.5, 2.05, true", "49, 60, 2.00, false", "50, 63, 2.00, false", "50, 60, 2.06, false"})
    void checkThroughputAndRequestsOfPairs(double perSecond, double byHand, double requests, boolean pass) {
        Results pairs = results("pairs");
        pairs.add(
                Peer.DYNAMOLOCK,
                SideBySide.withRatios(
                        Peer.DYNAMOLOCK,
                        Map.of(
                                Peer.FLOOR, Sample.parse("perSecond=100"),
                                Peer.SAME_REQUESTS, Sample.parse("perSecond=" + byHand),
                                Peer.DYNAMOLOCK,
                                        Sample.parse("perSecond=%s requests=%s".formatted(perSecond, requests)))));

        assertThat(passes(pairs)).isEqualTo(pass);
    }

    @ParameterizedTest
    @CsvSource({"2.2, true", "2.3, false"})
    void checkRequestsOfHandOvers(double requests, boolean pass) {
        Results handOvers = results("hand-overs");
        handOvers.add(Peer.DYNAMOLOCK, Sample.parse("requests=" + requests));

        assertThat(passes(handOvers)).isEqualTo(pass);
    }

    @ParameterizedTest
    @CsvSource({"5, 4, true", "4.9, 4, false", "5, 3.9, false"})
    void checkThatTurnsAreFair(double changes, double fewest, boolean pass) {
        Results turns = results("turns");
        turns.add(
                Peer.DYNAMOLOCK,
                Sample.parse("changes=%s turnsPerSecond=10 fewest=%s most=10".formatted(changes, fewest)));

        assertThat(passes(turns)).isEqualTo(pass);
    }

    @ParameterizedTest
    @CsvSource({"0, 4096, true", "1, 4096, false", "0, 4097, false"})
    void checkThatManyLocksAreKeptInLittleHeap(int lost, int heap, boolean pass) {
        Results keep = results("keep-many");
        keep.add(Peer.DYNAMOLOCK, Sample.parse("lost=%d heapBytes=%d".formatted(lost, heap)));

        assertThat(passes(keep)).isEqualTo(pass);
    }

    @Test
    void areNoneWithoutFiguresOfThisLibrary() {
        Results pairs = results("pairs");
        pairs.add(Peer.FLOOR, Sample.parse("perSecond=100"));

        assertThat(Gates.of(pairs)).isEmpty();
    }
}
