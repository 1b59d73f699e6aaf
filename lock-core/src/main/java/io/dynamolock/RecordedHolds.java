/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What rows have told of the last holds of one lock by other processes.
 *
 * @param endedAt when the last one ended, which tells it from the next; null if there was none
 * @param ownEnds when the last two holds of this process ended, which say nothing about how long others take: a row
 *     that is read while one is released tells of the other
 * @param duration how long the last one took that counts; null if there is none
 * @param isRepeated whether the one before took about as long, or there was none
 * @param wasShort whether the last one did not count
 */
record RecordedHolds(
        @Nullable Instant endedAt,
        List<Instant> ownEnds,
        @Nullable Duration duration,
        boolean isRepeated,
        boolean wasShort) {

    static final RecordedHolds NONE = new RecordedHolds(null, List.of(), null, true, false);

    /** Two holds are similar if the shorter one takes at least this fraction of the longer one. */
    private static final double SIMILAR = 0.75;

    /** A shorter hold does not count unless another one follows: it may have been work that found nothing to do. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Adds what a row tells, unless it is known, or of this process. */
    RecordedHolds with(LastHold hold) {
        Duration next = hold.duration();
        if (next == null || hold.endedAt().equals(endedAt) || ownEnds.contains(hold.endedAt())) {
            return this;
        }
        return next.compareTo(SHORTEST) < 0
                ? new RecordedHolds(hold.endedAt(), ownEnds, wasShort ? null : duration, isRepeated, true)
                : new RecordedHolds(hold.endedAt(), ownEnds, next, isSimilar(next), false);
    }

    private boolean isSimilar(Duration next) {
        if (duration == null) {
            return true;
        }
        Duration shorter = Durations.min(duration, next);
        Duration longer = shorter.equals(next) ? duration : next;
        return shorter.toMillis() >= longer.toMillis() * SIMILAR;
    }

    RecordedHolds withOwn(LastHold own) {
        List<Instant> ends = Stream.concat(Stream.of(own.endedAt()), ownEnds.stream())
                .limit(2)
                .toList();
        return new RecordedHolds(endedAt, ends, duration, isRepeated, wasShort);
    }

    /** Returns how long the next one is expected to take; null if that is unknown. */
    @Nullable
    Duration usual() {
        return isRepeated ? duration : null;
    }
}
