/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A critical section: the time one worker spent under a lock.
 *
 * @param lock the lock
 * @param worker the process
 * @param token the fencing token; 0 without a lock
 * @param from when it was entered
 * @param to when it was left, or its worker killed; {@link Instant#MAX} if neither was seen
 * @param end how it ended
 */
record Section(String lock, String worker, long token, Instant from, Instant to, End end) {

    enum End {
        LEFT,
        KILLED,
        UNKNOWN
    }

    /** Finds the sections in a list of events, ordered by entry. */
    static List<Section> of(List<Event> ordered) {
        return IntStream.range(0, ordered.size())
                .filter(i -> ordered.get(i).kind() == Kind.ENTERED)
                .mapToObj(i -> of(ordered.get(i), ordered.subList(i + 1, ordered.size())))
                .toList();
    }

    private static Section of(Event entered, List<Event> later) {
        return later.stream()
                .filter(event -> event.worker().equals(entered.worker()))
                .filter(event -> event.kind() == Kind.KILLED || event.is(Kind.LEFT, entered.lock()))
                .findFirst()
                .map(last -> of(entered, last.at(), last.kind() == Kind.KILLED ? End.KILLED : End.LEFT))
                .orElseGet(() -> of(entered, Instant.MAX, End.UNKNOWN));
    }

    private static Section of(Event entered, Instant to, End end) {
        return new Section(entered.lock(), entered.worker(), entered.token(), entered.at(), to, end);
    }
}
