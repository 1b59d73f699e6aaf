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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTests {

    private static final Duration BOUND = Duration.ofSeconds(8);

    /** One section in order, one killed in the middle, one that takes over. */
    private static final List<Event> AS_PROMISED = List.of(
            entered(1, "w1", "job-x", 10),
            left(3, "w1", "job-x", 10),
            entered(4, "w2", "job-x", 11),
            killed(5, "w2"),
            entered(10.5, "w1", "job-x", 12),
            left(12, "w1", "job-x", 12));

    @Test
    void correctRunHasNoFindings() {
        Summary summary = summary(AS_PROMISED);

        assertThat(summary.problems()).isEmpty();
        assertThat(summary.figures()).isEqualTo("sections=3 overlaps=0 tokens=increasing takeover=5.5s");
    }

    @Test
    void overlappingSectionsOfOneLockAreFound() {
        Summary summary = summary(with(entered(2.999, "w2", "job-x", 10), left(3.1, "w2", "job-x", 10)));

        assertThat(summary.overlaps()).isEqualTo(1);
        assertThat(summary.problems()).contains("sections of one lock overlapped");
    }

    @Test
    void sectionInsideEarlierOneIsFound() {
        Summary summary = summary(List.of(
                entered(1, "w1", "a", 1),
                entered(2, "w2", "a", 2),
                left(3, "w2", "a", 2),
                entered(4, "w3", "a", 3),
                left(5, "w3", "a", 3),
                left(6, "w1", "a", 1)));

        assertThat(summary.overlaps()).isEqualTo(2);
    }

    @Test
    void sectionsOfDifferentLocksMayOverlap() {
        Summary summary = summary(with(entered(1.5, "w2", "report-acme", 7), left(2, "w2", "report-acme", 7)));

        assertThat(summary.problems()).isEmpty();
    }

    @Test
    void sectionMayBeginWhenPreviousOneEnds() {
        Summary summary = summary(with(entered(3, "w3", "job-x", 11), left(4, "w3", "job-x", 11)).stream()
                .map(event -> event.worker().equals("w2") ? withToken(event, 12) : event)
                .map(event -> event.token() == 12 && event.worker().equals("w1") ? withToken(event, 13) : event)
                .toList());

        assertThat(summary.problems()).isEmpty();
    }

    @Test
    void lowerTokenIsFound() {
        Summary summary = summary(List.of(
                entered(1, "w1", "job-x", 10), left(2, "w1", "job-x", 10),
                entered(3, "w2", "job-x", 9), left(4, "w2", "job-x", 9)));

        assertThat(summary.overlaps()).isZero();
        assertThat(summary.problems()).contains("a token was not higher than the one before");
    }

    @Test
    void repeatedTokenIsFound() {
        Summary summary = summary(List.of(
                entered(1, "w1", "job-x", 10), left(2, "w1", "job-x", 10),
                entered(3, "w2", "job-x", 10), left(4, "w2", "job-x", 10)));

        assertThat(summary.tokensIncrease()).isFalse();
    }

    @Test
    void killedSectionCountsAsHeldUntilKill() {
        Summary summary = summary(with(entered(4.9, "w3", "job-x", 12), left(5.5, "w3", "job-x", 12)));

        assertThat(summary.overlaps()).isEqualTo(1);
    }

    @Test
    void killedSectionCountsAsFreeAfterKill() {
        assertThat(summary(AS_PROMISED).overlaps()).isZero();
        assertThat(summary(AS_PROMISED).unfinished()).isZero();
    }

    @Test
    void missingTakeoverIsFound() {
        Summary summary = summary(AS_PROMISED.subList(0, 4));

        assertThat(summary.takeover()).isNull();
        assertThat(summary.problems()).containsExactly("the killed worker's lock was not taken over");
    }

    @Test
    void acquisitionOfAnotherLockIsNoTakeover() {
        List<Event> events = new ArrayList<>(AS_PROMISED.subList(0, 4));
        events.add(entered(6, "w1", "report-acme", 3));
        events.add(left(7, "w1", "report-acme", 3));

        assertThat(summary(events).takeover()).isNull();
    }

    @Test
    void killOfIdleWorkerIsNoCrash() {
        List<Event> events = new ArrayList<>(AS_PROMISED);
        events.set(3, left(5, "w2", "job-x", 11));
        events.add(4, killed(5.1, "w2"));

        assertThat(summary(events).problems()).containsExactly("the killed worker's lock was not taken over");
    }

    @Test
    void lateTakeoverIsFound() {
        Summary summary = Summary.of(AS_PROMISED, "job-x", Duration.ofSeconds(5));

        assertThat(summary.problems()).containsExactly("the takeover came late");
    }

    @Test
    void sectionWithoutEndIsFound() {
        Summary summary = summary(with(entered(13, "w3", "report-acme", 1)));

        assertThat(summary.problems()).containsExactly("a section did not end regularly");
    }

    @Test
    void sectionWithoutEndOverlapsAllLaterOnes() {
        Summary summary = summary(
                List.of(entered(1, "w1", "job-x", 1), entered(20, "w2", "job-x", 2), left(21, "w2", "job-x", 2)));

        assertThat(summary.overlaps()).isEqualTo(1);
    }

    @Test
    void emptyRunIsFound() {
        assertThat(summary(List.of()).problems()).contains("no section ran");
    }

    private static Summary summary(List<Event> events) {
        return Summary.of(events, "job-x", BOUND);
    }

    private static List<Event> with(Event... more) {
        List<Event> events = new ArrayList<>(AS_PROMISED);
        events.addAll(List.of(more));
        events.sort(Comparator.comparing(Event::at));
        return events;
    }

    private static Event withToken(Event event, long token) {
        return new Event(event.at(), event.worker(), event.kind(), event.lock(), token, event.detail());
    }
}
