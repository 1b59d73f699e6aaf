/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Mutant.Judge;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault that this or another lock library has had, put in once more, is noticed by what is there to notice it. {@code
 * -Dmutant="no undo"} tries that one only.
 */
class MutantTests {

    private static final long FIRST_SEED = 1;

    private static final Map<Mutant, Future<MutantTrial>> TRIALS = new HashMap<>();
    private static final AtomicInteger CAUGHT = new AtomicInteger();

    static Stream<Mutant> all() {
        return Stream.of(HolderMutants.ALL, RivalMutants.ALL, RowMutants.ALL, ThreadMutants.ALL)
                .flatMap(List::stream);
    }

    static Stream<Mutant> asked() {
        String fault = System.getProperty("mutant");
        return all().filter(mutant -> fault == null || mutant.fault().equals(fault));
    }

    /** Those that need nothing but a processor share what there is, beginning with the longest; logs are for tests. */
    @BeforeAll
    static void playInParallel() {
        SimQuiet.quietly(() -> {
            ExecutorService processors =
                    Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
            asked().filter(mutant -> mutant.judge() != Judge.TEST)
                    .sorted(Comparator.comparing(Mutant::judge))
                    .forEach(mutant -> TRIALS.put(mutant, processors.submit(() -> trialOf(mutant, FIRST_SEED))));
            processors.shutdown();
            awaitAll(processors);
        });
    }

    private static void awaitAll(ExecutorService processors) {
        try {
            assertThat(processors.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    @ParameterizedTest
    @MethodSource("asked")
    void isCaughtByWhatIsMeantToCatchIt(Mutant mutant) throws Exception {
        Future<MutantTrial> played = TRIALS.get(mutant);

        MutantTrial trial = played == null ? trialOf(mutant, FIRST_SEED) : played.get();

        assertThat(trial.verdict()).isEqualTo(mutant.proof());
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
