/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the polls of locks that one lease holds for long, as a leader does: callers that wait again and again, for about a heartbeat of
 * Spring Integration's candidates, would otherwise send a write for each call. Bounded.
 */
final class BusyLooks {

    /** The time between two looks at a lock that one lease holds for long, and the longest wait that is paced. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The shortest wait that is paced: the default heartbeat of a candidate. */
    static final Duration SHORTEST_WAIT = Duration.ofMillis(500);

    /** How long a lease must have been seen to hold the lock, and the time between two looks before that. */
    private static final Duration LONG_HOLD = Duration.ofMillis(400);

    /** How long after its turn a caller may come and still be one of those that try again and again. */
    private static final Duration SLACK = Duration.ofMillis(250);

    static final int MOST_NAMES = 1_000;

    /** The lease that was found, since when it is known, and when to look again. */
    private record Look(@Nullable String leaseId, long sinceNanos, long dueNanos) {}

    private final Map<String, Look> looks = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    BusyLooks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns whether calls with this wait time are those of a candidate. */
    static boolean isPaced(Duration wait) {
        return wait.compareTo(SHORTEST_WAIT) >= 0 && wait.compareTo(INTERVAL) <= 0;
    }

    /** Records that a wait for the lock has ended in vain just now. A forgotten name costs another request. */
    void foundBusy(String name, @Nullable String leaseId) {
        if (looks.size() >= MOST_NAMES) {
            removeUnused();
        }
        if (looks.size() < MOST_NAMES) {
            long now = nanoTime.getAsLong();
            looks.put(name, new Look(leaseId, now, now));
        }
    }

    /** Returns whether a wait for the lock has ended in vain a moment ago. */
    boolean isKnown(String name) {
        Look look = looks.get(name);
        return look != null && !isOver(look);
    }

    private boolean isOver(Look look) {
        return nanoTime.getAsLong() - look.dueNanos > SLACK.toNanos();
    }

    /** Records a look at the lock; returns whether the lease that holds it is the one that was found before. */
    boolean isStillHeldBy(String name, @Nullable String leaseId) {
        Look look = looks.get(name);
        if (look == null || !Objects.equals(look.leaseId, leaseId)) {
            return false;
        }
        long now = nanoTime.getAsLong();
        Duration gap = now - look.sinceNanos >= LONG_HOLD.toNanos() ? INTERVAL : LONG_HOLD;
        looks.put(name, new Look(leaseId, look.sinceNanos, now + gap.toNanos()));
        return true;
    }

    /** Waits until it is time to look at the lock; returns whether it is before the deadline. */
    boolean awaitTurn(String name, long deadlineNanos) throws InterruptedException {
        Look look = looks.get(name);
        long turn = look == null ? nanoTime.getAsLong() : look.dueNanos;
        boolean inTime = turn - deadlineNanos <= 0;
        await(inTime ? turn : deadlineNanos);
        return inTime;
    }

    private void await(long untilNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(untilNanos - nanoTime.getAsLong());
    }

    /** Forgets the locks that callers have ceased to try. */
    void removeUnused() {
        looks.values().removeIf(this::isOver);
    }

    /** Returns the number of locks that are remembered. */
    int size() {
        return looks.size();
    }
}
