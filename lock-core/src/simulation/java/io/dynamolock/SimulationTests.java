/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Simulates the real engine, with the real requests of the store, in virtual time: several processes whose clocks, requests
 * and responses meet all faults of {@link SimFault}. {@code -Dsim.seed=N} runs one history and prints its trace, {@code
 * -Dsim.histories=N} another number of them than {@link Scale}.
 */
@Tag("scaled")
class SimulationTests {

    private static final long FIRST_SEED = 1;

    @Test
    void noHistoryViolatesAnInvariantAndRarePathsAreReached() {
        Long seed = Long.getLong("sim.seed");
        if (seed != null) {
            SimQuiet.quietly(() -> printHistory(seed));
            return;
        }
        long histories = Long.getLong("sim.histories", Scale.of(Scale.HISTORIES, Scale.HISTORIES_OF_PROOF));

        SimQuiet.quietly(() -> {
            SimReport report = SimRun.play(FIRST_SEED, histories, SimOptions.DEFAULT, () -> false);

            System.out.println(report.summary(FIRST_SEED, FIRST_SEED + histories - 1));
            SimResult broken = report.first();
            assertThat(broken == null ? "" : SimShrinker.explain(broken.seed(), SimOptions.DEFAULT))
                    .isEmpty();
            assertThat(report.histories()).isEqualTo(histories);
            assertThat(report.reached().keySet()).contains(SimSometimes.values());
        });
    }

    private static void printHistory(long seed) {
        SimResult result = SimRun.replay(seed, SimOptions.DEFAULT);
        result.lines().forEach(System.out::println);
        assertThat(result.violation() == null ? "" : SimShrinker.explain(seed, SimOptions.DEFAULT))
                .isEmpty();
    }

    @Test
    void sameSeedsProduceIdenticalHistories() {
        SimQuiet.quietly(() -> {
            SimReport one = SimRun.play(FIRST_SEED, 100, SimOptions.DEFAULT, () -> false);
            SimReport again = SimRun.play(FIRST_SEED, 100, SimOptions.DEFAULT, () -> false);

            assertThat(again.hash()).isEqualTo(one.hash());
            assertThat(SimRun.replay(FIRST_SEED, SimOptions.DEFAULT).lines())
                    .isEqualTo(SimRun.replay(FIRST_SEED, SimOptions.DEFAULT).lines());
        });
    }
}
