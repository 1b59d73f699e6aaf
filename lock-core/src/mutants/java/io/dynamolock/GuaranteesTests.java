/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A promise counts only with a test that shows it and, but for a few, with a fault that this notices: what GUARANTEES.md
 * names must exist, and the other way round. That the tests of a row notice its faults is shown by {@link MutantTests}.
 */
class GuaranteesTests {

    private static final Pattern FAULT_TO_FIND = Pattern.compile("-Dmutant=\"([^\".]+)\"");

    @Test
    void everyNamedTestExists() {
        List<String> tests = Guarantees.rows().stream()
                .flatMap(row -> row.tests().stream())
                .filter(test -> test.contains("."))
                .distinct()
                .toList();

        assertThat(tests)
                .hasSizeGreaterThan(100)
                .allSatisfy(test -> assertThatNoException().isThrownBy(() -> Guarantees.sourceOf(test)));
    }

    @Test
    void everyGuaranteeNamesATest() {
        assertThat(Guarantees.rows())
                .hasSizeGreaterThan(40)
                .allSatisfy(row -> assertThat(row.tests()).isNotEmpty());
    }

    /** Guarantees that only processes, wall clocks or all parts together can break. */
    @Test
    void fewGuaranteesHaveNoFault() {
        assertThat(Guarantees.rows()).filteredOn(row -> row.faults().isEmpty()).hasSizeLessThanOrEqualTo(11);
    }

    @Test
    void guaranteesAndMutantsNameTheSameFaults() {
        Set<String> named = new HashSet<>();
        Guarantees.rows().forEach(row -> named.addAll(row.faults()));

        assertThat(named).isEqualTo(faults());
    }

    @Test
    void everyFaultOfTrackRecordExists() throws IOException {
        String page = Files.readString(Path.of("src/test/TRACK-RECORD.md"));

        Set<String> named = FAULT_TO_FIND
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());

        assertThat(faults()).containsAll(named);
        assertThat(named).hasSizeGreaterThan(30);
    }

    @Test
    void figuresOfPageAreThoseOfTests() {
        assertThat(Guarantees.page().replaceAll("\\s+", " "))
                .contains(String.format(Locale.ROOT, "plays %,d histories", Scale.HISTORIES_OF_PROOF))
                .contains(String.format(Locale.ROOT, "on %,d random requests", Scale.REQUESTS_OF_PROOF))
                .contains(String.format(Locale.ROOT, ": %,d histories,", Scale.HISTORIES))
                .contains(String.format(Locale.ROOT, " %,d requests, a few", Scale.REQUESTS));
    }

    private static Set<String> faults() {
        return MutantTests.all().map(Mutant::fault).collect(Collectors.toSet());
    }
}
