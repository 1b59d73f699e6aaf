/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** The checking listener of one process. */
final class ListenerProbe implements LockListener {

    private final SimProcess process;
    private final SimVerdict verdict;
    private final SimTrace trace;
    private final SimWorks works;
    private final SimEnds ends;
    private final Set<Lease> atRisk = new HashSet<>();

    ListenerProbe(SimProcess process, SimVerdict verdict, SimTrace trace, SimWorks works, SimEnds ends) {
        this.process = process;
        this.verdict = verdict;
        this.trace = trace;
        this.works = works;
        this.ends = ends;
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        works.acquired((HeldLease) lease);
        ends.acquired((HeldLease) lease);
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        if (atRisk.remove(lease)) {
            verdict.reached(SimSometimes.BACK_FROM_RISK);
        }
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        if (atRisk.add(lease)) {
            verdict.reached(SimSometimes.AT_RISK);
        }
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        trace.note(process.number, "lost", lease.id() + " " + lost.reason());
        ends.lost(process, (HeldLease) lease, lost.reason());
        verdict.reached(
                switch (lost.reason()) {
                    case TAKEN -> SimSometimes.LOST_TAKEN;
                    case REVOKED -> SimSometimes.LOST_REVOKED;
                    case DELETED -> SimSometimes.LOST_DELETED;
                    case EXPIRED -> SimSometimes.LOST_EXPIRED;
                    case UNREACHABLE -> SimSometimes.LOST_UNREACHABLE;
                    case MAX_HOLD -> SimSometimes.LOST_MAX_HOLD;
                    case CLOSED -> SimSometimes.LOST_CLOSED;
                });
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        verdict.reached(SimSometimes.RELEASE_FAILED);
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        trace.note(process.number, "untrusts", problem.name());
        verdict.reached(problem == ClockProblem.UNDATED ? SimSometimes.CLOCK_UNDATED : SimSometimes.CLOCK_CONTRADICTED);
    }
}
