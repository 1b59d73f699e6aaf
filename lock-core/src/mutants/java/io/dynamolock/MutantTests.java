/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Mutant.Judge;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
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
 * Each seeded fault, known from this or another lock library, is detected by its judge and by a test of each row of
 * GUARANTEES.md that names it. Each build runs a sample, the profile {@code proof} all; {@code -Dmutant="no undo"} runs that
 * one only.
 */
@Tag("scaled")
class MutantTests {

    private static final List<List<Mutant>> LISTS = List.of(
            CallerMutants.ALL,
            CoordinationMutants.ALL,
            ElectionMutants.ALL,
            HolderMutants.ALL,
            MomentMutants.ALL,
            RivalMutants.ALL,
            RowMutants.ALL,
            ThreadMutants.ALL,
            QueueMutants.ALL,
            TrustMutants.ALL,
            FairnessMutants.ALL);

    private static final String SEARCH = "ModelCheckerTests";
    private static final String SIMULATION = "SimulationTests";

    /** Not run on the classes of a mutant: the searches, and Lincheck's, which loads the unchanged classes itself. */
    private static final Set<String> NOT_RUNNABLE = Set.of(
            SEARCH,
            SIMULATION,
            "LeaseConcurrencyTests.renewalsAndReleaseAreLinearizable",
            "LeaseConcurrencyTests.shortenedLeaseStaysPlannedDuringRecovery");

    private static final TrialJvms JVMS = new TrialJvms(CoreTrials.class, all().toList());
    private static final AtomicInteger CAUGHT = new AtomicInteger();

    static Stream<Mutant> all() {
        return LISTS.stream().flatMap(List::stream);
    }

    static Stream<Mutant> selected() {
        return selectedOr(Scale.isFull() ? all() : sample());
    }

    /** Returns the mutant given by the system property, or all these. */
    static Stream<Mutant> selectedOr(Stream<Mutant> others) {
        String fault = System.getProperty("mutant");
        return fault == null ? others : all().filter(mutant -> mutant.fault().equals(fault));
    }

    /** Returns the first mutant for each fast judge. */
    private static Stream<Mutant> sample() {
        Set<Judge> seen = EnumSet.of(Judge.EXPLORER, Judge.SERVER, Judge.OBSERVED);
        return all().filter(mutant -> seen.add(mutant.judge()));
    }

    /** The longest first. */
    static Stream<Trial> trials() {
        return selected()
                .sorted(Comparator.comparing(Mutant::judge))
                .map(mutant -> new Trial(mutant, JVMS.verdict(mutant)))
                .toList()
                .stream();
    }

    static Stream<Trial> trialsOfGuarantees() {
        String fault = System.getProperty("mutant");
        return Guarantees.ties()
                .filter(tie -> fault == null || tie.mutant().fault().equals(fault))
                .filter(tie -> !tie.row().tests().contains(judgeOf(tie.mutant()))) // shown by the judge
                .map(tie -> new Trial(tie, JVMS.firstToNotice(tie.mutant(), runnableTestsOf(tie.row()))))
                .toList()
                .stream();
    }

    private record Trial(Object subject, Future<String> verdict) {

        @Override
        public String toString() {
            return subject.toString();
        }
    }

    /** Most builds compile a few mutants only: a change of the source that makes one obsolete is noticed by each. */
    @Test
    void sourceHasWhatEachMutantReplaces() {
        assertThat(all()).allSatisfy(MutantTrial::requireSource);
    }

    @ParameterizedTest
    @MethodSource("trials")
    void isDetectedByItsJudge(Trial trial) throws Exception {
        assertThat(trial.verdict().get()).isEqualTo(((Mutant) trial.subject()).proof());
        CAUGHT.incrementAndGet();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("trialsOfGuarantees")
    @Tag("proof")
    void isDetectedByATestOfEachGuarantee(Trial trial) throws Exception {
        assertThat(trial.verdict().get()).isNotEmpty();
    }

    private static List<String> runnableTestsOf(Guarantees.Row row) {
        return row.tests().stream()
                .filter(test -> !NOT_RUNNABLE.contains(test))
                .flatMap(MutantTests::classesOf)
                .toList();
    }

    /** Returns the test by which GUARANTEES.md names the judge of a mutant. */
    private static String judgeOf(Mutant mutant) {
        return switch (mutant.judge()) {
            case TEST ->
                mutant.proof()
                        .substring(
                                mutant.proof().lastIndexOf('.', mutant.proof().lastIndexOf('.') - 1) + 1);
            case EXPLORER -> SEARCH;
            default -> SIMULATION;
        };
    }

    /** Returns class names below the package; a contract runs on each store. */
    private static Stream<String> classesOf(String test) {
        if (test.contains("Contract.")) {
            String method = test.substring(test.indexOf('.'));
            return Stream.of("memory.InMemoryLockStoreTests" + method, "dynamodb.DynamoDbLockStoreTests" + method);
        }
        Path source = Guarantees.sourceOf(test);
        String folder = source.getName(source.getNameCount() - 2).toString();
        return Stream.of(folder.equals("dynamolock") ? test : folder + "." + test);
    }

    @AfterAll
    static void endTrials() {
        JVMS.close();
    }

    @AfterAll
    static void printSummary() {
        System.out.printf(
                "mutants: %d of %d caught, of %d that there are%n",
                CAUGHT.get(), selected().count(), all().count());
    }
}
