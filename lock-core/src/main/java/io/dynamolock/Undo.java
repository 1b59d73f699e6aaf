/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Release;
import io.dynamolock.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes acquisitions harmless whose outcome is unknown, in the background: frees the lock if it is theirs, else uses their
 * token up, so that a copy that is still under way is refused whenever it arrives. Tries until it has an answer, or until the
 * lease is surely over by itself.
 *
 * <p>An outage leaves many of them behind: few run at once, at a steady pace, those first whose leases last longest, and the
 * number that is remembered is bounded.
 */
final class Undo {

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

    private static final int MOST_OPEN = 10_000;

    /** At most half of what may run in the background: releases and asynchronous acquires need threads, too. */
    private static final int MOST_AT_ONCE = 4;

    private static final int MOST_WARNINGS = 10;

    /** From one start to the next, once as many as may run at once have started. */
    private static final long GAP_NANOS = 10_000_000;

    /** From a thread that could not be started to the next try. */
    private static final long NO_THREAD_NANOS = 100_000_000;

    private final EngineContext context;
    private final Set<Case> open = EngineContext.oldestFirst();
    private final Deque<Case> due = new ArrayDeque<>();
    private final AtomicInteger abandoned = new AtomicInteger();
    private int underWay;
    private long paceNanos;
    private boolean paced;
    private boolean alarmed;
    private volatile boolean stopped;

    Undo(EngineContext context) {
        this.context = context;
    }

    /** Undoes an acquisition for a lease of such a duration. */
    void start(String name, Proposal sent, Duration lease) {
        long inRow = Durations.nanos(context.lockDelay.inRow(lease));
        // Who compares no clocks waits from when the row was written, which may be now
        boolean observed = sent.write().clock() == LeaseTime.OBSERVED;
        long from = observed ? context.clock.nanos() : sent.sent().nanos();
        long over = from + inRow + inRow / 1_000 + Durations.nanos(context.settings.maxClockSkew());
        Case one = new Case(name, sent.write(), context.settings.attemptTimeoutFor(lease), over);
        open.add(one);
        enqueue(one);
        if (!pump() && takes(one)) {
            one.attempt(); // no thread of the manager's is left, and nobody works off the others' cases
        }
    }

    boolean isSettled() {
        return open.isEmpty();
    }

    /** Tries what is left once more, without waiting. */
    void retryNow() {
        List.copyOf(open).forEach(this::enqueue);
        pump();
    }

    /** Forgets what is left, as nothing can be sent any more. */
    void stop() {
        stopped = true;
        List<Case> left = new ArrayList<>(List.copyOf(open));
        synchronized (this) {
            due.clear();
            left.removeIf(one -> one.running); // their ends are awaited
        }
        left.forEach(this::abandon);
        int more = abandoned.get() - MOST_WARNINGS;
        if (more > 0) {
            LOG.warn(
                    "{} more unanswered acquires could not be undone; the locks may stay taken until their leases end",
                    more);
        }
    }

    private void enqueue(Case one) {
        Case dropped = null;
        synchronized (this) {
            if (one.queued || one.running || !open.contains(one)) {
                return;
            }
            if (due.size() >= MOST_OPEN) {
                dropped = due.removeFirst();
            }
            one.queued = true;
            due.addLast(one);
        }
        if (dropped != null) {
            abandon(dropped);
        }
    }

    private void abandon(Case one) {
        boolean matters = open.remove(one) && !one.isOver(context.clock.nanos());
        if (matters && abandoned.incrementAndGet() <= MOST_WARNINGS) {
            LOG.warn(
                    "An unanswered acquire of lock '{}' could not be undone; the lock may stay taken until {}",
                    one.name,
                    one.write.expiresAt());
        }
    }

    /** Starts what may start now, the newest first. Returns false if nothing comes back for what is left. */
    private boolean pump() {
        if (stopped) {
            return false;
        }
        long now = context.clock.nanos();
        long again = now;
        for (Case one : startable(now)) {
            if (!isStarted(one)) {
                putBack(one);
                again = now + NO_THREAD_NANOS;
            }
        }
        return isComingBack(again);
    }

    private boolean isStarted(Case one) {
        try {
            return context.scheduler.submit(Rank.UNDO, one::attempt);
        } catch (Throwable noThread) {
            LOG.debug("No thread can be started to undo an acquire of lock '{}'", one.name, noThread);
            return false;
        }
    }

    /** Sees to it that what is due and may start is started, not before such a moment. */
    private boolean isComingBack(long earliest) {
        long next;
        synchronized (this) {
            if (due.isEmpty() || underWay >= mostAtOnce() || alarmed) {
                return true;
            }
            alarmed = true;
            next = paceNanos - (MOST_AT_ONCE - 1) * GAP_NANOS;
        }
        try {
            context.scheduler.schedule(next - earliest < 0 ? earliest : next, this::ring);
            return true;
        } catch (Throwable noThread) {
            LOG.debug("No thread can be started to come back for undos", noThread);
            return silenced();
        }
    }

    private synchronized boolean silenced() {
        alarmed = false;
        return false;
    }

    private synchronized void putBack(Case one) {
        underWay--;
        one.running = false;
        one.queued = true;
        due.addLast(one);
    }

    /** Whether it was still to be started, by whoever asks now. */
    private synchronized boolean takes(Case one) {
        if (!due.remove(one)) {
            return false;
        }
        underWay++;
        one.queued = false;
        one.running = true;
        return true;
    }

    private int mostAtOnce() {
        return Math.min(MOST_AT_ONCE, Math.max(1, context.availability.concurrencyLimit() / 2));
    }

    private synchronized List<Case> startable(long now) {
        List<Case> starting = new ArrayList<>();
        int most = mostAtOnce();
        while (underWay < most && !due.isEmpty()) {
            Case one = due.getLast();
            boolean over = one.isOver(now);
            if (!over && !mayStart(now)) {
                break;
            }
            due.removeLast();
            one.queued = false;
            if (over) {
                open.remove(one);
            } else {
                one.running = true;
                underWay++;
                starting.add(one);
            }
        }
        return starting;
    }

    /** Once in a gap, on average; as many as may run at once have their gaps saved up. */
    private boolean mayStart(long now) {
        if (context.isClosed()) {
            return true;
        }
        if (!paced || paceNanos - now < 0) {
            paceNanos = now;
            paced = true;
        }
        if (paceNanos - now > (MOST_AT_ONCE - 1) * GAP_NANOS) {
            return false;
        }
        paceNanos += GAP_NANOS;
        return true;
    }

    private void ring() {
        synchronized (this) {
            alarmed = false;
        }
        pump();
    }

    private final class Case {

        private static final long LONGEST_DELAY_NANOS = 5_000_000_000L;

        private final String name;
        private final Acquire write;
        private final UndoPlan plan;
        private final RequestTimeouts timeouts;
        private final long overNanos;
        private int failures;
        private boolean queued;
        private boolean running;

        Case(String name, Acquire write, Duration timeout, long overNanos) {
            this.name = name;
            this.write = write;
            this.plan = new UndoPlan(write);
            this.timeouts = RequestTimeouts.of(timeout);
            this.overNanos = overNanos;
        }

        boolean isOver(long now) {
            return now - overNanos >= 0;
        }

        void attempt() {
            Throwable failure = null;
            try {
                settle();
            } catch (LockStoreException thrown) {
                failure = thrown;
            } catch (RuntimeException | Error unexpected) {
                LOG.warn("Undoing an acquire of lock '{}' failed unexpectedly", name, unexpected);
                failure = unexpected;
            }
            ended(this, failure);
        }

        private void settle() {
            boolean settled = false;
            while (!settled && !isOver(context.clock.nanos())) {
                settled = freed() || usedUp();
            }
        }

        private boolean freed() {
            Release release = plan.release(context.clock.now());
            boolean freed = context.client
                    .release(name, Operation.UNDO, release, timeouts)
                    .applied();
            if (freed) {
                context.waitQueues.handOff(write.name());
            }
            return freed;
        }

        private boolean usedUp() {
            return plan.isDone(context.client.raiseFloor(name, plan.raise(context.clock.now()), timeouts));
        }

        private long nextNanos() {
            failures++;
            long delay = Math.min(100_000_000L << Math.min(failures, 16), LONGEST_DELAY_NANOS);
            return context.clock.nanos() + (long) (delay * (1 - 0.5 * context.random.getAsDouble()));
        }
    }

    private void ended(Case one, @Nullable Throwable failure) {
        synchronized (this) {
            underWay--;
            one.running = false;
        }
        if (failure == null) {
            open.remove(one);
        } else if (context.isClosed()) {
            LOG.debug("Undoing an acquire of lock '{}' failed", one.name, failure);
            abandon(one);
        } else {
            retry(one);
        }
        if (!stopped) {
            pump();
        }
    }

    private void retry(Case one) {
        long next = one.nextNanos();
        if (one.isOver(next)) {
            open.remove(one);
        } else {
            try {
                context.scheduler.schedule(next, () -> {
                    enqueue(one);
                    pump();
                });
            } catch (Throwable noThread) {
                LOG.debug("No thread can be started to come back for lock '{}'", one.name, noThread);
                enqueue(one);
            }
        }
    }
}
