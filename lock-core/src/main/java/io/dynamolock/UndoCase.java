/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Release;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The undo of one acquisition, and its place in {@link Undo}, under whose monitor the flags are accessed. */
final class UndoCase {

    private static final Logger LOG = LoggerFactory.getLogger(UndoCase.class);

    private static final long MAX_DELAY_NANOS = 5_000_000_000L;

    final String name;
    final Acquire write;
    boolean queued;
    boolean running;

    private final EngineContext context;
    private final UndoPlan plan;
    private final RequestTimeouts timeouts;
    private final long overNanos;
    private int failures;

    /** The thread that attempts it; null between the attempts. */
    private volatile @Nullable Thread thread;

    /** Whether the last release got no response: it may have been applied. */
    private boolean unanswered;

    UndoCase(EngineContext context, String name, Acquire write, Duration timeout, long overNanos) {
        this.context = context;
        this.name = name;
        this.write = write;
        this.plan = new UndoPlan(write);
        this.timeouts = RequestTimeouts.of(timeout);
        this.overNanos = overNanos;
    }

    /** Whether the lease to be undone has certainly expired. */
    boolean isOver(long now) {
        return now - overNanos >= 0;
    }

    private boolean isOver() {
        return isOver(context.clock.nanos());
    }

    /** Whether an attempt has failed: cases that were not attempted yet come first, so that each has its turn. */
    boolean hasFailed() {
        return failures > 0;
    }

    /** Attempts the undo once. Never throws; returns the failure, or null if the undo is done or over. */
    @Nullable
    Throwable attempt() {
        thread = Thread.currentThread();
        try {
            settle();
            return null;
        } catch (LockStoreException failure) {
            return failure;
        } catch (RuntimeException | Error unexpected) {
            LOG.warn("Undoing an acquire of lock '{}' failed unexpectedly", name, unexpected);
            return unexpected;
        } finally {
            thread = null;
        }
    }

    boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }

    private void settle() {
        boolean settled = false;
        while (!settled && !isOver()) {
            settled = tryRelease() || (!isOver() && tryRaiseFloor());
        }
        if (!settled) {
            context.waitQueues.hint(write.name()); // whoever waits may take the lock over now
        }
    }

    private boolean tryRelease() {
        Release release = plan.release(context.clock.now());
        try {
            Response response = context.client.release(name, Operation.UNDO, release, timeouts);
            boolean mayHaveFreed = response.applied() || unanswered;
            unanswered = false;
            if (mayHaveFreed && ConditionFailures.showsFreeLock(response)) {
                context.waitQueues.handOff(write.name());
            }
            return response.applied();
        } catch (LockStoreException failure) {
            unanswered |= failure.isOutcomeUnknown();
            throw failure;
        }
    }

    private boolean tryRaiseFloor() {
        return plan.isDone(context.client.raiseFloor(name, plan.raise(context.clock.now()), timeouts));
    }

    /** Returns when to attempt the undo again after a failure, no later than its lease is over. */
    long nextNanos() {
        failures++;
        long delay = Math.min(100_000_000L << Math.min(failures, 16), MAX_DELAY_NANOS);
        long next = context.clock.nanos() + (long) (delay * (1 - 0.5 * context.random.getAsDouble()));
        return isOver(next) ? overNanos : next;
    }
}
