/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs fresh histories: the first seed comes from the clock, {@code -Dsim.first=N} sets another. Ends after {@code
 * -Dsim.minutes=N} (1) or {@code -Dsim.histories=N} (20 million).
 */
@Tag("soak")
class SimulationSoakTests {

    @Test
    void noHistoryViolatesAnInvariant() {
        long first = Long.getLong("sim.first", System.currentTimeMillis() * 1_000);
        long histories = Long.getLong("sim.histories", 20_000_000L);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(Long.getLong("sim.minutes", 1));
        System.out.printf("soak: seeds from %d (-Dsim.first=%d plays them again)%n", first, first);

        SimQuiet.quietly(() -> {
            SimReport report = SimRun.play(first, histories, SimOptions.DEFAULT, () -> System.nanoTime() - end > 0);

            System.out.println(report.summary(first, first + report.histories() - 1));
            System.out.println(report.figures());
            SimResult broken = report.first();
            assertThat(broken == null ? "" : SimShrinker.explain(broken.seed(), SimOptions.DEFAULT))
                    .isEmpty();
        });
    }
}
