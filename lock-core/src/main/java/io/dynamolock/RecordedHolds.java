/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recent holds of one lock by other processes, as its row recorded them.
 *
 * @param endedAt the end of the most recent one, which identifies it; null if there is none
 * @param ownEnds the ends of the last two holds of this process, which do not count; a row that is read during a
 *     release may still show the earlier one
 * @param duration the duration of the most recent one that counts; null if there is none
 * @param isRepeated whether the one before that took about as long, or there was none
 * @param wasShort whether the most recent one was too short to count
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

    /** Adds the last hold of a row, unless it is already known or was one of this process. */
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
        List<Instant> ends = ownEnds.isEmpty() ? List.of(own.endedAt()) : List.of(own.endedAt(), ownEnds.get(0));
        return new RecordedHolds(endedAt, ends, duration, isRepeated, wasShort);
    }

    /** Returns how long the next one is expected to take; null if that is unknown. */
    @Nullable
    Duration usual() {
        return isRepeated ? duration : null;
    }
}
