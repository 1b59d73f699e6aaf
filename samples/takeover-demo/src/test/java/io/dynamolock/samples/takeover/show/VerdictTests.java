/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static io.dynamolock.samples.takeover.show.Events.entered;
import static io.dynamolock.samples.takeover.show.Events.killed;
import static io.dynamolock.samples.takeover.show.Events.left;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTests {

    private static final Summary GOOD = summary(
            entered(1, "w1", "job-x", 1), killed(2, "w1"), entered(8.1, "w2", "job-x", 2), left(9, "w2", "job-x", 2));

    private static final Summary BAD = summary(
            entered(1, "w1", "job-x", 0),
            entered(2, "w2", "job-x", 0),
            left(3, "w1", "job-x", 0),
            left(4, "w2", "job-x", 0));

    @Test
    void isOkWhenThePromiseWasKept() {
        Verdict verdict = Verdict.withLocks(GOOD, List.of());

        assertThat(verdict)
                .isEqualTo(new Verdict(true, "RESULT: OK sections=2 overlaps=0 tokens=increasing takeover=6.1s"));
    }

    @Test
    void failsWhenThePromiseWasBroken() {
        Verdict verdict = Verdict.withLocks(BAD, List.of());

        assertThat(verdict.ok()).isFalse();
        assertThat(verdict.result()).startsWith("RESULT: FAILED sections=2 overlaps=1 tokens=broken takeover=none (");
    }

    @Test
    void failsWhenSomethingElseWentWrong() {
        Verdict verdict = Verdict.withLocks(GOOD, List.of("worker-3 ended unexpectedly"));

        assertThat(verdict.ok()).isFalse();
        assertThat(verdict.result()).startsWith("RESULT: FAILED").endsWith("(worker-3 ended unexpectedly)");
    }

    @Test
    void showsTheOverlapsOfARunWithoutLocksAndIsNotOk() {
        assertThat(Verdict.withoutLocks(BAD, List.of()))
                .isEqualTo(new Verdict(false, "RESULT: OVERLAPS sections=2 overlaps=1"));
    }

    @Test
    void failsWhenARunWithoutLocksShowsNoOverlap() {
        assertThat(Verdict.withoutLocks(GOOD, List.of()).result()).startsWith("RESULT: FAILED");
    }

    private static Summary summary(Event... events) {
        return Summary.of(List.of(events), "job-x", Duration.ofSeconds(8));
    }
}
