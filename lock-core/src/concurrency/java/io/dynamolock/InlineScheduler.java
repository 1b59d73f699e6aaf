/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import io.dynamolock.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks immediately on the calling thread, and delayed tasks on demand. A wait yields to the other threads until it
 * ends, since no time passes: an exploration of all interleavings sees that it waits.
 */
final class InlineScheduler implements Scheduler {

    private final List<Runnable> alarms = new ArrayList<>();
    private int ringing;

    /** Runs the delayed task that has waited longest, if any. */
    void ring() {
        Runnable due = next();
        if (due != null) {
            due.run();
            rung();
        }
    }

    /** Runs the tasks that are delayed now, but not those that they delay. */
    void ringAll() {
        for (int left = delayed(); left > 0; left--) {
            ring();
        }
    }

    private synchronized int delayed() {
        return alarms.size();
    }

    private synchronized @Nullable Runnable next() {
        if (alarms.isEmpty()) {
            return null;
        }
        ringing++;
        return alarms.remove(0);
    }

    private synchronized void rung() {
        ringing--;
    }

    private synchronized boolean isRinging() {
        return ringing > 0;
    }

    private synchronized void clear() {
        alarms.clear();
    }

    @Override
    public synchronized Scheduled schedule(long nanos, Runnable action) {
        alarms.add(action);
        return () -> cancel(action);
    }

    private synchronized void cancel(Runnable action) {
        alarms.remove(action);
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        action.run();
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        action.run();
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        action.run();
        return true;
    }

    @Override
    public void limit(int concurrencyLimit) {}

    @Override
    public boolean callBack(Runnable action) {
        action.run();
        return true;
    }

    @Override
    public void complete(Runnable action) {
        action.run();
    }

    @Override
    public boolean isOwnThread() {
        return false;
    }

    @Override
    public Parker parker() {
        return new GivingWay();
    }

    @Override
    public void close(Duration timeout) {
        clear();
        while (isRinging()) {
            Thread.onSpinWait();
        }
    }

    /** Polls in a loop without advancing time. */
    private static final class GivingWay implements Parker {

        @Override
        public void wake() {}

        @Override
        public void await(long nanos) {
            Thread.onSpinWait();
        }

        @Override
        public long nanos() {
            return 0;
        }
    }
}
