/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.Mutant.Judge;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** JVMs that judge mutants. */
class TrialJvmsTests {

    private static final Mutant STALE =
            Mutant.of("a stale quote", Judge.TEST, "LossTests.none", "Proposer.java", "no such text", "");

    /** Otherwise the build would wait for an answer for ever, and pass on what the thread prints. */
    @Test
    void jvmThatFailsEndsAlthoughThreadOfFaultGoesOn() {
        try (TrialJvms jvms = new TrialJvms(Failing.class, List.of(STALE))) {
            assertThat(jvms.verdict(STALE))
                    .failsWithin(TestRun.TIMEOUT)
                    .withThrowableThat()
                    .withMessageContaining("The JVM that judges 'a stale quote' ended");
        }
    }

    /** Otherwise one failure, or one JVM that a machine without memory ends, would fail all others. */
    @Test
    void mutantIsJudgedAfterJvmOfAnotherHasEnded() {
        Mutant noticed = TrustMutants.ALL.get(0);
        try (TrialJvms jvms = new TrialJvms(JudgingOne.class, List.of(STALE, noticed))) {
            assertThat(jvms.verdict(STALE)).failsWithin(TestRun.TIMEOUT);
            assertThat(jvms.verdict(noticed)).succeedsWithin(TestRun.TIMEOUT).isNotEqualTo("");
        }
    }

    /** The main class of a JVM that ends with the first failure. */
    static final class JudgingOne {

        private JudgingOne() {}

        public static void main(String[] none) {
            TrialJvms.serve(List.of(STALE, TrustMutants.ALL.get(0)));
        }
    }

    /** The main class of a JVM with a thread that outlasts the test. */
    static final class Failing {

        private Failing() {}

        public static void main(String[] none) {
            new Thread(() -> LockSupport.parkNanos(2 * TestRun.TIMEOUT.toNanos())).start();
            TrialJvms.serve(List.of(STALE));
        }
    }
}
