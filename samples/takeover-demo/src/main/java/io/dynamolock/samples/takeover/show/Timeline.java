/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Orders the events of several processes by time, by delaying each for a moment. */
final class Timeline {

    private static final Duration MOMENT = Duration.ofMillis(200);

    private final DelayQueue<KeptBack> events = new DelayQueue<>();
    private final InstantSource clock;

    Timeline(InstantSource clock) {
        this.clock = clock;
    }

    void add(Event event) {
        events.add(new KeptBack(event, event.at().plus(MOMENT), clock));
    }

    /** Waits for the next event; empty if there is none in time. */
    Optional<Event> next(Duration wait) throws InterruptedException {
        return Optional.ofNullable(events.poll(wait.toMillis(), TimeUnit.MILLISECONDS))
                .map(KeptBack::event);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    private record KeptBack(Event event, Instant until, InstantSource clock) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(Duration.between(clock.instant(), until));
        }

        @Override
        public int compareTo(Delayed other) {
            return other instanceof KeptBack that
                    ? until.compareTo(that.until)
                    : Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
