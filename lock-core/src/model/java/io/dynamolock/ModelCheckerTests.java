/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static io.dynamolock.LeaseTime.SYSTEM;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explores small scopes exhaustively: the smallest ones in each build, all in the profile {@code proof}. */
@Tag("scaled")
class ModelCheckerTests {

    private final AtomicLong states = new AtomicLong();

    @Test
    void noMessageOrderViolatesAnInvariant() {
        List<String> violations = ModelSizes.ofThisBuild().parallelStream()
                .map(scope -> ModelChecker.explore(scope, states::addAndGet))
                .filter(Objects::nonNull)
                .toList();

        assertThat(violations).isEmpty();
        System.out.printf("explorer: %d states, exhausted, 0 violations%n", states.get());
        assertThat(states.get()).isGreaterThan(Scale.of(700_000, 15_000_000));
    }

    @Test
    void skewBeyondLimitBreaksExclusionWithShortestTrace() {
        ModelBounds apart =
                new ModelBounds("too far apart", SYSTEM, SYSTEM).apart(2).horizon(3);

        String violation = ModelChecker.explore(apart, states::addAndGet);

        assertThat(violation)
                .startsWith(Invariants.EXCLUSION)
                .contains("process 0 sends the acquire of p0.0 until 2", "acquire of p1.0 arrives and is applied")
                .hasLineCount(12);
    }
}
