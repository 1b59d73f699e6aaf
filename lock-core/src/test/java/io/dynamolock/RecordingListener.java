/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the events of a process, all of them as short texts and some by kind. Thread-safe. */
public final class RecordingListener implements LockListener {

    public final List<String> all = new CopyOnWriteArrayList<>();
    public final List<LeaseLost> losses = new CopyOnWriteArrayList<>();
    public final List<ClockProblem> clockProblems = new CopyOnWriteArrayList<>();
    public final List<String> repaired = new CopyOnWriteArrayList<>();
    public final List<String> retried = new CopyOnWriteArrayList<>();
    public final List<String> exhausted = new CopyOnWriteArrayList<>();
    public final List<Duration> beforeWaits = new CopyOnWriteArrayList<>();
    public final List<LockState> waiting = new CopyOnWriteArrayList<>();
    public final List<LockState> busy = new CopyOnWriteArrayList<>();
    public final List<Throwable> retries = new CopyOnWriteArrayList<>();
    public final List<Throwable> failedRenewals = new CopyOnWriteArrayList<>();
    public final List<Throwable> failedReleases = new CopyOnWriteArrayList<>();
    volatile Duration clockWidth = Duration.ZERO;
    volatile Runnable whenRenewalsFail = () -> {};

    @Override
    public void onClockSample(Duration skew, Duration width) {
        clockWidth = width;
    }

    @Override
    public void onRepairedRow(String name) {
        repaired.add(name);
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        clockWidth = Duration.ZERO;
        clockProblems.add(problem);
    }

    @Override
    public void onRetry(String name, Operation operation, Throwable failure) {
        retried.add(name);
        retries.add(failure);
    }

    @Override
    public void onRetriesExhausted(String name, Operation operation, Throwable failure) {
        exhausted.add(name);
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        beforeWaits.add(took.minus(waited));
        all.add("acquired " + lease.name());
    }

    @Override
    public void onWaiting(LockState holder) {
        waiting.add(holder);
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        beforeWaits.add(took.minus(waited));
        busy.add(holder);
        all.add("busy " + holder.name());
    }

    @Override
    public void onAcquireFailed(String name, Throwable failure, Duration took) {
        all.add("failed " + name);
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        all.add("renewed " + lease.name());
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        failedRenewals.add(failure);
        all.add("renewal failed " + lease.name());
        whenRenewalsFail.run();
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        losses.add(lost);
        all.add("lost " + lease.name());
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        all.add("released " + lease.name() + " " + outcome);
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        failedReleases.add(failure);
        all.add("release failed " + lease.name());
    }
}
