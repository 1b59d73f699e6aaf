/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTests {

    private static Results turns() {
        return new Results(new Experiment(
                "turns",
                "title",
                "what happens",
                List.of(),
                1,
                List.of(
                        new Metric("changes", "changes", 2),
                        new Metric("fewest", "fewest", 0),
                        new Metric("most", "most", 0)),
                (lab, peer) -> Sample.NONE));
    }

    @Test
    void showsTheMediansOfTheScenariosThatWereMeasured() {
        Results turns = turns();
        turns.add(Peer.FLOOR, Sample.parse("changes=2 fewest=46 most=1360"));
        turns.add(Peer.DYNAMOLOCK, Sample.parse("changes=9 fewest=50 most=60"));
        turns.add(Peer.DYNAMOLOCK, Sample.parse("changes=10.004 fewest=48 most=63"));
        turns.add(Peer.DYNAMOLOCK, Sample.parse("changes=11 fewest=52 most=62"));

        assertThat(Summary.of(List.of(turns)))
                .containsExactly(
                        "|  | dynamolock | awslabs | ShedLock | Spring Cloud AWS | floor |",
                        "| --- | ---: | ---: | ---: | ---: | ---: |",
                        "| four processes ask for one lock in a loop: changes of holder per second"
                                + " | 10.00 |  |  |  | 2.00 |",
                        "| the same: fewest and most turns of a process | 50 / 62 |  |  |  | 46 / 1,360 |");
    }

    @Test
    void isEmptyWithoutThisLibrary() {
        Results turns = turns();
        turns.add(Peer.FLOOR, Sample.parse("changes=2 fewest=46 most=136"));

        assertThat(Summary.of(List.of(turns))).isEmpty();
    }
}
