/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Mutant;
import io.dynamolock.MutantTrial;
import io.dynamolock.Scale;
import io.dynamolock.TrialJvms;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each seeded fault of the Spring module is detected by its test. Each build runs a few of them, the profile
 * {@code proof} runs all; {@code -Dmutant="toString() shows secrets"} runs only that one.
 */
@Tag("scaled")
class SpringMutantTests {

    /** Fast mutants. */
    private static final Set<String> IN_EACH_BUILD = Set.of(
            "a future completes before its lock is released",
            "the lock is inside the transaction",
            "the method's own busy lock counts as the annotation's",
            "each parameter index refers to the first argument",
            "the token key is ignored");

    private static final AtomicInteger CAUGHT = new AtomicInteger();
    private static final TrialJvms JVMS = new TrialJvms(SpringTrials.class, all().toList());

    static Stream<Mutant> all() {
        return Stream.of(
                        CallMutants.ALL,
                        PublisherMutants.ALL,
                        TransactionMutants.ALL,
                        ApplicationMutants.ALL,
                        AdapterMutants.ALL,
                        ShutdownMutants.ALL,
                        AnnotationMutants.ALL,
                        ProxyMutants.ALL,
                        KotlinMutants.ALL,
                        FallbackMutants.ALL,
                        StartupMutants.ALL)
                .flatMap(List::stream);
    }

    static Stream<Trial> trials() {
        return asked()
                .map(mutant -> new Trial(mutant, JVMS.firstToNotice(mutant, List.of(mutant.proof()))))
                .toList()
                .stream();
    }

    private static Stream<Mutant> asked() {
        String fault = System.getProperty("mutant");
        return all().filter(mutant -> fault == null
                ? Scale.isFull() || IN_EACH_BUILD.contains(mutant.fault())
                : mutant.fault().equals(fault));
    }

    @Test
    void mutantsOfEachBuildExist() {
        assertThat(all().map(Mutant::fault)).containsAll(IN_EACH_BUILD);
    }

    @Test
    void sourceHasWhatEachMutantReplaces() {
        assertThat(all()).allSatisfy(MutantTrial::requireSource);
    }

    @ParameterizedTest
    @MethodSource("trials")
    void isDetectedByItsTest(Trial trial) throws Exception {
        assertThat(trial.verdict().get()).isEqualTo(trial.mutant().proof());
        CAUGHT.incrementAndGet();
    }

    private record Trial(Mutant mutant, Future<String> verdict) {

        @Override
        public String toString() {
            return mutant.toString();
        }
    }

    @AfterAll
    static void endTrials() {
        JVMS.close();
    }

    @AfterAll
    static void printSummary() {
        System.out.printf("spring mutants: %d of %d detected%n", CAUGHT.get(), asked().count());
    }
}
