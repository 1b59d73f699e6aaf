/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static io.dynamolock.samples.takeover.show.Events.at;
import static io.dynamolock.samples.takeover.show.Events.ended;
import static io.dynamolock.samples.takeover.show.Events.entered;
import static io.dynamolock.samples.takeover.show.Events.left;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptTests {

    private final Script script = new Script(at(0), "job-x", Duration.ofSeconds(30), Duration.ofSeconds(8));

    @BeforeEach
    void begin() {
        script.see(entered(5, "w1", "job-x", 1));
        script.see(left(7, "w1", "job-x", 1));
    }

    @Test
    void scriptKillsFirstWorkingWorkerAfterOneThirdOfTime() {
        script.see(entered(15, "w2", "job-x", 2));

        assertThat(script.choosesVictim(at(15.6))).isFalse();
        assertThat(script.choosesVictim(at(15.7))).isTrue();
        assertThat(script.victim()).isEqualTo("w2");
    }

    @Test
    void scriptKillsOnce() {
        script.see(entered(15, "w2", "job-x", 2));

        assertThat(script.choosesVictim(at(16))).isTrue();
        assertThat(script.choosesVictim(at(16))).isFalse();
    }

    @Test
    void workThatBeganEarlierIsNotKilled() {
        script.see(entered(14.9, "w2", "job-x", 2));

        assertThat(script.choosesVictim(at(16))).isFalse();
    }

    @Test
    void finishedWorkerIsNotKilled() {
        script.see(entered(15, "w2", "job-x", 2));
        script.see(left(15.5, "w2", "job-x", 2));

        assertThat(script.choosesVictim(at(16))).isFalse();
    }

    @Test
    void workerOfAnotherLockIsNotKilled() {
        script.see(entered(15, "w2", "report-acme", 2));

        assertThat(script.choosesVictim(at(16))).isFalse();
    }

    @Test
    void onlyEndOfVictimAndOfStoppedWorkersIsExpected() {
        script.see(entered(15, "w2", "job-x", 2));
        assertThat(script.choosesVictim(at(16))).isTrue();

        assertThat(script.allows(ended(16, "w2", "exit code 137"), false)).isTrue();
        assertThat(script.allows(ended(40, "w2", "exit code 137"), true)).isTrue();
        assertThat(script.allows(ended(20, "w1", "exit code 0"), false)).isFalse();
        assertThat(script.allows(ended(40, "w1", "exit code 0"), true)).isTrue();
        assertThat(script.allows(ended(40, "w1", "exit code 137"), true)).isFalse();
    }

    @Test
    void scriptWaitsForTakeover() {
        script.see(entered(34, "w2", "job-x", 2));
        assertThat(script.choosesVictim(at(35))).isTrue();

        assertThat(script.isOver(at(42.9))).isFalse();
        assertThat(script.isOver(at(43.1))).isTrue();
    }

    @Test
    void scriptEndsAfterTakeover() {
        script.see(entered(34, "w2", "job-x", 2));
        assertThat(script.choosesVictim(at(35))).isTrue();

        script.see(entered(40, "w1", "job-x", 3));

        assertThat(script.isOver(at(40.1))).isTrue();
    }

    @Test
    void scriptEndsAfterItsTime() {
        script.see(entered(15, "w2", "job-x", 2));
        assertThat(script.choosesVictim(at(16))).isTrue();

        assertThat(script.isOver(at(34.9))).isFalse();
        assertThat(script.isOver(at(35.1))).isTrue();
    }

    @Test
    void scriptEndsWithoutWorkerToKill() {
        assertThat(script.isOver(at(49))).isFalse();
        assertThat(script.isOver(at(51))).isTrue();
    }

    @Test
    void scriptEndsIfNoWorkerBegins() {
        Script stuck = new Script(at(0), "job-x", Duration.ofSeconds(30), Duration.ofSeconds(8));

        assertThat(stuck.isOver(at(89))).isFalse();
        assertThat(stuck.isOver(at(91))).isTrue();
        assertThat(stuck.hasBegun()).isFalse();
    }
}
