/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.Mutant.Judge;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which tests count as those that detect a mutant. */
class MutantTrialTests {

    private static final String RESULTS = "dynamolock.trial.results";
    private static final String SCRIPTED = "MutantTrialTests$ScriptedResults.pass";

    /** The results are those of the mutant, of the unchanged library until it passes, and of the mutant again. */
    @ParameterizedTest
    @CsvSource({"P,", "FP, detected", "FFFF,", "FFPP,", "FFFPP,", "FFPF, detected", "FFFPF, detected"})
    void testThatFailsAtRandomDetectsNoMutant(String results, String verdict, @TempDir Path passed) throws Exception {
        System.setProperty(RESULTS, results);

        String detector = MutantTrial.firstToNotice(Mutant.NONE, List.of(SCRIPTED), passed);

        assertThat(detector).isEqualTo(verdict == null ? "" : SCRIPTED);
        assertThat(System.getProperty(RESULTS))
                .as("results that were not asked for")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"TEST", "EXPLORER"})
    void seedIsForTheSimulation(Judge judge) {
        Mutant mutant = Mutant.of("a fault", judge, "proof", "Proposer.java", "from", "to");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> mutant.fromSeed(7))
                .withMessageContaining("a fault");
    }

    @AfterEach
    void noMoreResults() {
        System.clearProperty(RESULTS);
    }

    /** Run by the trials only. */
    static final class ScriptedResults {

        @Test
        void pass() {
            String results = System.getProperty(RESULTS, "P");
            System.setProperty(RESULTS, results.substring(1));
            if (!results.startsWith("P")) {
                throw new AssertionError("scripted");
            }
        }
    }
}
