/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnersTests {

    @Test
    void ownerNamesHostProcessAndRandomPart() {
        long pid = ProcessHandle.current().pid();

        assertThat(Owners.ofThisProcess()).matches(".+-" + pid + "-[0-9a-f]{4}");
    }

    @Test
    void managersOfOneProcessHaveDistinctOwners() {
        assertThat(Stream.generate(Owners::ofThisProcess).limit(10).collect(Collectors.toSet()))
                .hasSizeGreaterThan(5);
    }
}
