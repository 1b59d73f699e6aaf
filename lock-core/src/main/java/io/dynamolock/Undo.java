/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes, in the background, acquisitions whose outcome is unknown. Frees the lock if the acquisition holds it.
 * Otherwise raises the token floor to the acquisition's token, so that a copy of its write that arrives later is
 * rejected. Retries until the store responds, or until the lease has certainly expired.
 *
 * <p>An outage can leave many of them. So few run concurrently, at a steady rate, the newest first, as their leases
 * last longest; and the queue is bounded.
 */
final class Undo {

    private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

    private static final int MAX_OPEN = 10_000;

    /** At most half of the background requests are undos, as releases and asynchronous acquires need threads, too. */
    private static final int MAX_CONCURRENT = 4;

    private static final int MAX_WARNINGS = 10;

    /** Interval between two starts, once the maximum number of concurrent undos has started. */
    private static final long GAP_NANOS = 10_000_000;

    /** Delay before the next attempt after no thread could be started. */
    private static final long NO_THREAD_RETRY_NANOS = 100_000_000;

    private final EngineContext context;
    private final BooleanSupplier closed;
    private final Set<UndoCase> open = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Deque<UndoCase> due = new ArrayDeque<>();
    private final AtomicInteger abandoned = new AtomicInteger();
    private int inFlight;
    private long paceNanos;
    private boolean pacing;
    private boolean wakeUpScheduled;
    private volatile boolean stopped;

    /**
     * Creates an undo without work.
     *
     * @param closed returns whether the manager is closed
     */
    Undo(EngineContext context, BooleanSupplier closed) {
        this.context = context;
        this.closed = closed;
    }

    /** Undoes an acquisition of a lease of the given duration. */
    void start(String name, Proposal sent, Duration leaseDuration) {
        long inRow = Durations.nanos(context.lockDelay.inRow(leaseDuration));
        // A process that compares no clocks counts the lease from its observation of the write, perhaps only now
        boolean observed = sent.write().clock() == LeaseTime.OBSERVED;
        long from = observed ? context.clock.nanos() : sent.sent().nanos();
        long over = from + inRow + inRow / 1_000 + Durations.nanos(context.settings.maxClockSkew());
        UndoCase undo =
                new UndoCase(context, name, sent.write(), context.settings.attemptTimeoutFor(leaseDuration), over);
        open.add(undo);
        enqueue(undo);
        if (!pump() && takeFromQueue(undo)) {
            attempt(undo); // no manager thread is left to run it
        }
    }

    /** Whether no case is open but one that this thread attempts, which would wait for itself. */
    boolean isSettled() {
        return List.copyOf(open).stream().allMatch(UndoCase::isOnThisThread);
    }

    /** Retries all open cases without a delay. */
    void retryNow() {
        List.copyOf(open).forEach(this::enqueue);
        pump();
    }

    /** Abandons the open cases, as nothing can be sent any more. */
    void stop() {
        stopped = true;
        List<UndoCase> left = new ArrayList<>(List.copyOf(open));
        synchronized (this) {
            due.clear();
            left.removeIf(undo -> undo.running); // onAttemptEnded() settles these
        }
        left.forEach(this::abandon);
        int unreported = abandoned.get() - MAX_WARNINGS;
        if (unreported > 0) {
            LOG.warn(
                    "{} more unanswered acquires could not be undone; the locks may stay taken until their leases end",
                    unreported);
        }
    }

    private void enqueue(UndoCase undo) {
        UndoCase dropped = null;
        synchronized (this) {
            if (undo.queued || undo.running || !open.contains(undo)) {
                return;
            }
            if (due.size() >= MAX_OPEN) {
                dropped = due.removeFirst();
            }
            undo.queued = true;
            if (undo.hasFailed()) {
                due.addFirst(undo);
            } else {
                due.addLast(undo);
            }
        }
        if (dropped != null) {
            abandon(dropped);
        }
    }

    private void abandon(UndoCase undo) {
        boolean mayBlock = open.remove(undo) && !undo.isOver(context.clock.nanos());
        if (mayBlock && abandoned.incrementAndGet() <= MAX_WARNINGS) {
            LOG.warn(
                    "An unanswered acquire of lock '{}' could not be undone; the lock may stay taken until {}",
                    undo.name,
                    undo.write.expiresAt());
        }
    }

    /** Starts due cases, the newest first, failed ones last; returns false if nothing will start the remaining ones. */
    private boolean pump() {
        if (stopped) {
            return false;
        }
        long now = context.clock.nanos();
        long wakeUpAt = now;
        for (UndoCase undo : startable(now)) {
            if (!submit(undo)) {
                putBack(undo);
                wakeUpAt = now + NO_THREAD_RETRY_NANOS;
            }
        }
        return ensureWakeUp(wakeUpAt);
    }

    private boolean submit(UndoCase undo) {
        try {
            return context.scheduler.submit(Rank.UNDO, () -> attempt(undo));
        } catch (Throwable noThread) {
            LOG.debug("No thread can be started to undo an acquire of lock '{}'", undo.name, noThread);
            return false;
        }
    }

    /** Ensures that a later {@link #pump()} starts the remaining due cases, no earlier than the given time. */
    private boolean ensureWakeUp(long earliest) {
        long next;
        synchronized (this) {
            if (due.isEmpty() || inFlight >= maxConcurrent() || wakeUpScheduled) {
                return true;
            }
            wakeUpScheduled = true;
            next = paceNanos - (MAX_CONCURRENT - 1) * GAP_NANOS;
        }
        try {
            context.scheduler.schedule(next - earliest < 0 ? earliest : next, this::onWakeUp);
            return true;
        } catch (Throwable noThread) {
            LOG.debug("No thread can be started to schedule further undos", noThread);
            return wakeUpFailed();
        }
    }

    private synchronized boolean wakeUpFailed() {
        wakeUpScheduled = false;
        return false;
    }

    private synchronized void putBack(UndoCase undo) {
        inFlight--;
        undo.running = false;
        undo.queued = true;
        due.addLast(undo);
    }

    /** Takes a due case from the queue for the calling thread; returns false if it is no longer in the queue. */
    private synchronized boolean takeFromQueue(UndoCase undo) {
        if (!due.remove(undo)) {
            return false;
        }
        inFlight++;
        undo.queued = false;
        undo.running = true;
        return true;
    }

    private int maxConcurrent() {
        return Math.min(MAX_CONCURRENT, Math.max(1, context.availability.concurrencyLimit() / 2));
    }

    private synchronized List<UndoCase> startable(long now) {
        List<UndoCase> starting = new ArrayList<>();
        int max = maxConcurrent();
        while (inFlight < max && !due.isEmpty()) {
            UndoCase undo = due.getLast();
            if (!undo.isOver(now) && !mayStart(now)) {
                break;
            }
            due.removeLast();
            undo.queued = false;
            undo.running = true;
            inFlight++;
            starting.add(undo);
        }
        return starting;
    }

    /** Limits starts to one per interval, on average, with bursts of up to the maximum concurrency. */
    private boolean mayStart(long now) {
        if (closed.getAsBoolean()) {
            return true;
        }
        if (!pacing || paceNanos - now < 0) {
            paceNanos = now;
            pacing = true;
        }
        if (paceNanos - now > (MAX_CONCURRENT - 1) * GAP_NANOS) {
            return false;
        }
        paceNanos += GAP_NANOS;
        return true;
    }

    private void onWakeUp() {
        synchronized (this) {
            wakeUpScheduled = false;
        }
        pump();
    }

    private void attempt(UndoCase undo) {
        onAttemptEnded(undo, undo.attempt());
    }

    private void onAttemptEnded(UndoCase undo, @Nullable Throwable failure) {
        synchronized (this) {
            inFlight--;
            undo.running = false;
        }
        if (failure == null) {
            open.remove(undo);
        } else if (closed.getAsBoolean()) {
            LOG.debug("Undoing an acquire of lock '{}' failed", undo.name, failure);
            abandon(undo);
        } else {
            retry(undo);
        }
        if (!stopped) {
            pump();
        }
    }

    private void retry(UndoCase undo) {
        try {
            context.scheduler.schedule(undo.nextNanos(), () -> {
                enqueue(undo);
                pump();
            });
        } catch (Throwable noThread) {
            LOG.debug(
                    "No thread can be started to schedule a further undo of an acquire of lock '{}'",
                    undo.name,
                    noThread);
            enqueue(undo);
        }
    }
}
