/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that nobody waits for a free lock (6): soon after a release, one of those that wait holds it; and that a wait fails
 * only if a request of the caller has failed just before (5).
 */
final class SimWaits {

    private static final long CHECK_EVERY = 100_000_000;

    private static final long SLACK = 100_000_000;

    /** A caller's wait for a lock. */
    static final class Wait {

        private final SimProcess process;
        private final SimThread caller;
        private final LockRequest request;
        private final SimCrowd crowd;
        private final boolean async;
        private final long start;
        private final long end;
        private final Duration call;
        private boolean failsForAReason;

        Wait(SimProcess process, SimThread caller, LockRequest request, boolean async, SimCrowd crowd) {
            LockSettings settings = process.context.settings;
            this.process = process;
            this.caller = caller;
            this.request = request;
            this.crowd = crowd;
            this.async = async;
            this.start = process.scheduler.now();
            this.end = start + Objects.requireNonNull(request.waitTime()).toNanos();
            this.call = Durations.max(
                    settings.callTimeoutFor(settings.leaseOf(request)), settings.firstResponseTimeoutOrDefault());
        }

        /** Returns how long after the last fault the lock may stay free. */
        private Duration recovery() {
            return crowd.aftermath().plus(call.multipliedBy(2)).plus(crowd.promptness());
        }
    }

    private final SimVerdict verdict;
    private final SimLedger ledger;
    private final SimFaults faults;
    private final List<Wait> open = new ArrayList<>();
    private final Map<SimProcess, Long> lastFailures = new HashMap<>();
    private boolean troubled;
    private long troubledAt;
    private int happened;
    private long checkedAt;

    SimWaits(SimVerdict verdict, SimLedger ledger, SimFaults faults) {
        this.verdict = verdict;
        this.ledger = ledger;
        this.faults = faults;
    }

    void begins(Wait wait) {
        open.add(wait);
    }

    /** Records the end of a wait, and whether something has failed just before, in case the caller learns it later. */
    void ends(Wait wait) {
        open.remove(wait);
        long now = wait.process.scheduler.now();
        Long processFailedAt = lastFailures.get(wait.process);
        Long failedAt = wait.async ? processFailedAt : wait.caller.troubled > 0 ? (Long) wait.caller.troubledAt : null;
        boolean recent =
                failedAt != null && now - failedAt <= wait.call.toNanos() + wait.call.toNanos() / 1_000 + SLACK;
        wait.failsForAReason = recent || (wait.async && wait.process.pool.isExhausted());
    }

    /** Records that a request of a process failed, or was not answered in time. */
    void troubled(SimProcess process, long now) {
        lastFailures.put(process, now);
        troubled(now);
    }

    private void troubled(long now) {
        troubled = true;
        troubledAt = now;
    }

    /** Checks those that wait, after each event. */
    void check(long now) {
        if (faults.happened().size() > happened) {
            happened = faults.happened().size();
            troubled(now);
        }
        if (now - checkedAt > CHECK_EVERY) {
            checkedAt = now;
            open.forEach(wait -> check(wait, now));
        }
    }

    private void check(Wait wait, long now) {
        SimLedger.Version row = ledger.now(wait.request.name());
        boolean free = row.leaseId() == null && SimLedger.claimIn(row).isEmpty() && !SimForger.isLater(row.row());
        boolean quiet = !troubled || now - troubledAt > wait.recovery().toNanos();
        long since = Math.max(row.since(), wait.start);
        if (free
                && quiet
                && now < wait.end
                && !wait.process.isDead()
                && now - since > wait.crowd.promptness().toNanos()) {
            verdict.broken(
                    6,
                    "p%d waits for %s, which has been free for %s"
                            .formatted(wait.process.number, wait.request.name(), Duration.ofNanos(now - row.since())));
        }
    }

    /**
     * Checks that the failure of a caller is a recent one, and its own, unless it is asynchronous: then any worker thread of
     * its process sends its requests, unless all of them are busy.
     */
    void failed(Wait wait, LockStoreException failure) {
        boolean expected = faults.changedRow(wait.request.name()) || wait.process.hasPausedSince(wait.start);
        if (!wait.failsForAReason && !expected) {
            verdict.broken(
                    5,
                    "p%d failed to acquire %s without a recent failure: %s"
                            .formatted(wait.process.number, wait.request.name(), failure.getMessage()));
        }
    }
}
