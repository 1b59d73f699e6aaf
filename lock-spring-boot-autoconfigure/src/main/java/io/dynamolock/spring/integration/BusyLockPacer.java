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
 * Limits the polls of locks that one lease holds for long, as a leader does. Spring Integration's leader candidates
 * retry once per heartbeat; each retry would be a write. Bounded.
 */
final class BusyLockPacer {

    /** The interval of polls of a lock that one lease holds for long, and the longest wait that is paced. */
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The shortest wait that is paced: the default heartbeat of a candidate. */
    static final Duration SHORTEST_WAIT = Duration.ofMillis(500);

    /** How long a lease must have been observed to hold the lock, and the interval of polls before that. */
    private static final Duration LONG_HOLD = Duration.ofMillis(400);

    /** How late after its turn a caller may return and still count as one that retries. */
    private static final Duration SLACK = Duration.ofMillis(250);

    static final int MAX_NAMES = 1_000;

    /** The lease that was observed, since when, and when to poll again. */
    private record Observed(@Nullable String leaseId, long sinceNanos, long dueNanos) {}

    private final Map<String, Observed> locks = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    BusyLockPacer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns whether calls with this wait time are those of a candidate. */
    static boolean isPaced(Duration wait) {
        return wait.compareTo(SHORTEST_WAIT) >= 0 && wait.compareTo(INTERVAL) <= 0;
    }

    /** Records that a wait for the lock has just ended without it. A forgotten name costs another request. */
    void foundBusy(String name, @Nullable String leaseId) {
        if (locks.size() >= MAX_NAMES) {
            removeUnused();
        }
        if (locks.size() < MAX_NAMES) {
            long now = nanoTime.getAsLong();
            locks.put(name, new Observed(leaseId, now, now));
        }
    }

    /** Returns whether a wait for the lock has ended without it a moment ago. */
    boolean isKnown(String name) {
        Observed observed = locks.get(name);
        return observed != null && !isOver(observed);
    }

    private boolean isOver(Observed observed) {
        return nanoTime.getAsLong() - observed.dueNanos > SLACK.toNanos();
    }

    /** Records a poll of the lock; returns whether the lease that holds it is the one observed before. */
    boolean isStillHeldBy(String name, @Nullable String leaseId) {
        Observed observed = locks.get(name);
        if (observed == null || !Objects.equals(observed.leaseId, leaseId)) {
            return false;
        }
        long now = nanoTime.getAsLong();
        Duration gap = now - observed.sinceNanos >= LONG_HOLD.toNanos() ? INTERVAL : LONG_HOLD;
        locks.put(name, new Observed(leaseId, observed.sinceNanos, now + gap.toNanos()));
        return true;
    }

    /** Waits until it is time to poll the lock; returns whether it is before the deadline. */
    boolean awaitTurn(String name, long deadlineNanos) throws InterruptedException {
        Observed observed = locks.get(name);
        long turn = observed == null ? nanoTime.getAsLong() : observed.dueNanos;
        boolean inTime = turn - deadlineNanos <= 0;
        await(inTime ? turn : deadlineNanos);
        return inTime;
    }

    private void await(long untilNanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(untilNanos - nanoTime.getAsLong());
    }

    /** Forgets the locks that callers no longer try. */
    void removeUnused() {
        locks.values().removeIf(this::isOver);
    }

    /** Returns the number of locks that are remembered. */
    int size() {
        return locks.size();
    }
}
