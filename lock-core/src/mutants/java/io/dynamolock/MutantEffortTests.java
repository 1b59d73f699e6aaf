/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Number of histories needed to detect a fault, from several seeds: {@code -Dtags.included=effort -Dtags.excluded=none}. */
@Tag("effort")
class MutantEffortTests {

    private static final int STARTS = 7;
    private static final long APART = 1_000_000;

    static Stream<Mutant> simulated() {
        return MutantTests.selectedOr(MutantTests.all())
                .filter(mutant -> mutant.judge().simulates());
    }

    @ParameterizedTest
    @MethodSource("simulated")
    void isDetectedFromEachSeed(Mutant mutant) {
        MutantTrial[] trials = LongStream.range(0, STARTS)
                .mapToObj(start -> MutantTrial.of(mutant, 1 + start * APART))
                .toArray(MutantTrial[]::new);

        System.out.printf("mutant: %s: median %d histories%n", mutant.fault(), median(trials));
        assertThat(trials).noneMatch(trial -> trial.verdict().isEmpty());
    }

    private static long median(MutantTrial[] trials) {
        return Stream.of(trials).mapToLong(MutantTrial::effort).sorted().toArray()[trials.length / 2];
    }
}
