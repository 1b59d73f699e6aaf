/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static io.dynamolock.samples.takeover.show.Events.at;
import static io.dynamolock.samples.takeover.show.Events.entered;
import static io.dynamolock.samples.takeover.show.Events.event;
import static io.dynamolock.samples.takeover.show.Events.killed;
import static io.dynamolock.samples.takeover.show.Events.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoryTests {

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void showsHolderAndSuccessor() {
        print(
                true,
                event(1, "w1", Kind.ACQUIRED, "job-x", 10),
                entered(1, "w1", "job-x", 10),
                event(1.1, "w2", Kind.WAITING, "job-x", 0),
                event(1.4, "w2", Kind.WAITING, "job-x", 0),
                event(2.5, "w1", Kind.RENEWED, "job-x", 10),
                killed(3, "w1"),
                event(3.1, "w2", Kind.WAITING, "job-x", 0),
                event(7, "w2", Kind.ACQUIRED, "job-x", 11),
                entered(7, "w2", "job-x", 11),
                left(9, "w2", "job-x", 11),
                event(9.1, "w2", Kind.RENEWED, "job-x", 11));

        assertThat(lines())
                .containsExactly(
                        "   1.00 s  w1        job-x           acquired, token 10",
                        "   1.10 s  w2        job-x           busy: held by w1",
                        "   2.50 s  w1        job-x           renewed",
                        "   3.00 s  w1        job-x           KILLED (SIGKILL) during its work",
                        "   3.10 s  w2        job-x           busy: w1 is dead, its lease has not expired yet",
                        "   7.00 s  w2        job-x           TOOK OVER from w1, token 11 > 10",
                        "   9.00 s  w2        job-x           done, releases");
    }

    @Test
    void doesNotTakeAnOrderlyReleaseForATakeover() {
        print(
                true,
                event(1, "w1", Kind.ACQUIRED, "job-x", 10),
                new Event(at(2), "w1", Kind.RELEASED, "job-x", 10, "RELEASED"),
                killed(3, "w1"),
                event(4, "w2", Kind.ACQUIRED, "job-x", 11));

        assertThat(lines()).last().asString().endsWith("acquired, token 11");
    }

    @Test
    void pointsAtOverlaps() {
        print(false, entered(1, "w1", "job-x", 0), entered(2, "w2", "job-x", 0), left(3, "w1", "job-x", 0));

        assertThat(lines())
                .containsExactly(
                        "   1.00 s  w1        job-x           begins",
                        "   2.00 s  w2        job-x           begins, AND w1 HAS NOT ENDED",
                        "   3.00 s  w1        job-x           done");
    }

    private void print(boolean locks, Event... events) {
        Story story = new Story(new PrintStream(output, true, StandardCharsets.UTF_8), at(0), locks);
        List.of(events).forEach(story::print);
    }

    private List<String> lines() {
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
