/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault that this or another lock library has had, put in once more, is noticed by what is there to notice it. {@code
 * -Dmutant="no undo"} tries that one only.
 */
class MutantTests {

    private static final long FIRST_SEED = 1;

    private static final AtomicInteger CAUGHT = new AtomicInteger();

    static Stream<Mutant> all() {
        return Stream.of(HolderMutants.ALL, RivalMutants.ALL, RowMutants.ALL, ThreadMutants.ALL)
                .flatMap(List::stream);
    }

    static Stream<Mutant> asked() {
        String fault = System.getProperty("mutant");
        return all().filter(mutant -> fault == null || mutant.fault().equals(fault));
    }

    @ParameterizedTest
    @MethodSource("asked")
    void isCaughtByWhatIsMeantToCatchIt(Mutant mutant) {
        AtomicReference<String> verdict = new AtomicReference<>();

        SimQuiet.quietly(() -> verdict.set(trialOf(mutant, FIRST_SEED).verdict()));

        assertThat(verdict.get()).isEqualTo(mutant.proof());
        CAUGHT.incrementAndGet();
    }

    static MutantTrial trialOf(Mutant mutant, long firstSeed) {
        try {
            return MutantTrial.of(mutant, firstSeed);
        } catch (Exception notJudged) {
            throw new AssertionError(notJudged);
        }
    }

    @AfterAll
    static void tell() {
        System.out.printf("mutants: %d of %d caught%n", CAUGHT.get(), asked().count());
    }
}
